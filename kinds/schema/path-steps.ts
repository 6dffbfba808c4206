import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Path } from './property-metadata.js';

/** The steps of a path. */
export function stepsOf(path: Path): ConfigPath {
  return path === '.'
    ? []
    : path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/**
 * The value at a path. `*` returns a list of each entry's value, and `type=Liveness` selects the
 * entry with this member. An index is skipped if there is no list: blocks of at most one element
 * are lists in a plan, single nested attributes are not.
 */
export function valueAtPath(value: unknown, path: ConfigPath): unknown {
  let current = value;
  for (let index = 0; index < path.length; index += 1) {
    const step = path[index] as string | number;
    if (current === null || typeof current !== 'object') return undefined;
    if (!Array.isArray(current))
      current =
        typeof step === 'number' ? current : (current as Readonly<Record<string, unknown>>)[step];
    else if (step === '*')
      return current.map((each: unknown) => valueAtPath(each, path.slice(index + 1)));
    else
      current = (current as readonly unknown[])[
        typeof step === 'number' ? step : indexOf(current, step)
      ];
  }
  return current;
}

/** The path of one value, with list indexes in place of the members that select entries. */
export function resolveSteps(path: ConfigPath, value: unknown): ConfigPath {
  return path.map((step, index) => {
    if (typeof step === 'number' || !step.includes('=')) return step;
    const list = valueAtPath(value, path.slice(0, index));
    return Array.isArray(list) ? indexOf(list, step) : step;
  });
}

function indexOf(list: readonly unknown[], step: string): number {
  const [member = '', expected] = step.split('=');
  return list.findIndex((each) => valueAtPath(each, [member]) === expected);
}

/** Writes a value at a path and creates missing objects; `type=Liveness` adds a list entry. */
export function setAtPath(
  body: Record<string, unknown>,
  [name = '', ...inner]: readonly string[],
  value: unknown,
): void {
  const [next = ''] = inner;
  const [member = '', expected] = next.split('=');
  if (expected !== undefined)
    ((body[name] ??= []) as unknown[]).push({ [member]: expected, ...(value as object) });
  else if (inner.length === 0) body[name] = value;
  else setAtPath((body[name] ??= {}) as Record<string, unknown>, inner, value);
}
