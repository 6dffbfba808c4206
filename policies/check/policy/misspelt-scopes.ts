import { dirname, relative, resolve } from 'node:path';
import type { Finding } from '../../../core/findings/finding.js';
import { defaultEnvironment } from '../../../core/project/environment-folder.js';
import type { FileAccess } from '../../../core/source/file-access.js';
import { nearest } from '../../../core/text/nearest.js';
import { makeFinding } from '../../engine/finding-maker.js';
import { environmentsBeside } from '../../model/environments.js';
import type { LoadedStack } from '../../model/loaded-stack.js';
import { policyRule } from '../../rules/policy-rules.js';
import type { LoadedPolicy } from './load-policy.js';

/** The inputs of a check by a policy. */
export interface ScopeContext {
  readonly cwd: string;
  /** The requested files and folders. */
  readonly paths: readonly string[];
  readonly files: FileAccess;
  readonly stacks: readonly LoadedStack[];
  readonly stackNames: ReadonlySet<string>;
  /** The requested environment; undefined if none was. */
  readonly environment: string | undefined;
}

/**
 * Finds scopes and suppressions of a policy whose stack or environment does not exist, but
 * resembles an existing one. Only if the whole folder of the policy was checked: otherwise the name
 * may be that of an unchecked stack.
 */
export function misspeltScopeFindings(
  { config, locate, file }: LoadedPolicy,
  context: ScopeContext,
): readonly Finding[] {
  if (file === undefined || !isInCheckedPaths(dirname(resolve(context.cwd, file)), context))
    return [];
  const { scopes = [], suppressions = [] } = config;
  if (scopes.length + suppressions.length === 0) return [];
  const existingNames = { stack: context.stackNames, environment: environmentsOf(context) };
  const report = (
    kind: keyof typeof existingNames,
    text: string,
    path: readonly (string | number)[],
  ): Finding[] => {
    const names = existingNames[kind];
    const suggestion = names.has(text) ? undefined : nearest(text, [...names]);
    if (suggestion === undefined) return [];
    const parameters = { kind, given: text, hint: `; did you mean "${suggestion}"?` };
    return [
      makeFinding(
        policyRule,
        { messageId: 'scope', path, parameters },
        { path: [], origin: {} },
        locate,
      ),
    ];
  };
  return [
    ...scopes.flatMap(({ stacks = [], environments = [] }, scopeIndex) => [
      ...stacks.flatMap((text, index) =>
        report('stack', text, ['scopes', scopeIndex, 'stacks', index]),
      ),
      ...environments.flatMap((text, index) =>
        report('environment', text, ['scopes', scopeIndex, 'environments', index]),
      ),
    ]),
    ...suppressions.flatMap(({ stack, environments = [] }, index) => [
      ...(stack === undefined ? [] : report('stack', stack, ['suppressions', index, 'stack'])),
      ...environments.flatMap((text, environmentIndex) =>
        report('environment', text, ['suppressions', index, 'environments', environmentIndex]),
      ),
    ]),
  ];
}

function isInCheckedPaths(folder: string, { cwd, paths }: ScopeContext): boolean {
  return paths.some((path) => {
    const relativePath = relative(resolve(cwd, path), folder);
    return (
      relativePath === '' ||
      (!relativePath.startsWith('..') && !/^([A-Za-z]:)?[\\/]/.test(relativePath))
    );
  });
}

/** The environments with an overlay of the configurations, and the one without. */
function environmentsOf({ cwd, files, stacks, environment }: ScopeContext): ReadonlySet<string> {
  const result = new Set([...(environment === undefined ? [] : [environment]), defaultEnvironment]);
  for (const config of new Set(stacks.flatMap((stack) => stack.files.slice(0, 1))))
    for (const name of environmentsBeside(config, { cwd, files })) result.add(name);
  return result;
}
