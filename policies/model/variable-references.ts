import type { Problem } from '../../core/source/problem.js';
import { brokenReference } from '../../core/yaml/environment-reference.js';
import { nearest } from '../../core/text/nearest.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { LoadedStack } from './loaded-stack.js';

/** Calls `visit` for every text in a value that contains `${`. */
export function visitInterpolatedTexts(
  value: unknown,
  visit: (text: string, path: ConfigPath) => void,
  path: ConfigPath = [],
): void {
  if (typeof value === 'string') {
    if (value.includes('${')) visit(value, path);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => visitInterpolatedTexts(item, visit, [...path, index]));
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'string' && !item.includes('${')) continue;
      visitInterpolatedTexts(item, visit, [...path, key]);
    }
  }
}

/**
 * The problems of parts `${…}` that refer neither to an environment variable nor to a name of the
 * stack.
 */
export function referenceProblems(
  stack: Pick<LoadedStack, 'config' | 'locate' | 'layers'>,
): readonly Problem[] {
  if (!stack.layers.mayContain('${')) return [];
  const problems: Problem[] = [];
  visitInterpolatedTexts(stack.config, (text, path) => {
    const reference = brokenReference(text);
    const location = reference === undefined ? undefined : stack.locate(path);
    if (location === undefined) return;
    const suggestion = nearest(/^\$\{castellan\.(\w+)\}$/.exec(reference ?? '')?.[1] ?? '', [
      'environment',
      'stack',
    ]);
    const help =
      suggestion === undefined
        ? ': write ${env:NAME} for a variable of the environment, ${castellan.environment} or ${castellan.stack} for a name, or $${ for the characters themselves'
        : `; did you mean \${castellan.${suggestion}}?`;
    const message = `${reference ?? ''} is no reference${help}`;
    problems.push({ id: 'config-reference', message, location });
  });
  return problems;
}
