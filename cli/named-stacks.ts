import { CastellanError } from '../core/errors/castellan-error.js';
import type { ProblemId } from '../core/source/problem.js';
import { diskFiles } from '../core/source/file-access.js';
import { findConfigs } from '../policies/model/find-configs.js';
import { loadConfig, type SkippedPath } from '../policies/model/load-config.js';
import type { LoadedStack } from '../policies/model/loaded-stack.js';
import { placeText } from '../policies/reporters/report.js';
import type { CliIo } from './command.js';
import { whyNoConfiguration } from './skipped-paths.js';

/** Stacks that have a name, and the paths that were not searched for more. */
export interface NamedStacks {
  readonly stacks: readonly LoadedStack[];
  readonly skippedPaths: readonly SkippedPath[];
}

/** Problems of configurations that are read with everything they say. */
const harmlessProblems: ReadonlySet<string> = new Set<ProblemId>([
  'config-empty',
  'config-backend',
  'config-moved',
  'config-reference',
]);

/**
 * Loads the stacks, even if they have mistakes.
 *
 * @throws CAS8103 with the places of what keeps a file from being read with all that it says, so
 *   that no stack and no protection is left out unseen, and for a stack without a name; CAS2010
 *   where there is none.
 */
export async function loadNamedStacks(
  paths: readonly string[],
  environment: string | undefined,
  io: CliIo,
): Promise<NamedStacks> {
  const { stacks, findings, skippedPaths } = await loadConfig({ paths, environment, cwd: io.cwd });
  const readFiles = new Set(stacks.flatMap(({ files }) => files));
  const { configs } = findConfigs(paths, { cwd: io.cwd, files: diskFiles, recursive: true });
  const unreadFiles = new Set(
    configs.map(({ file }) => file).filter((file) => !readFiles.has(file)),
  );
  const obstacles = findings.filter(
    ({ ruleId, location }) =>
      !harmlessProblems.has(ruleId) || unreadFiles.has(location?.file ?? ''),
  );
  if (obstacles.length > 0)
    throw new CastellanError(
      'CAS8103',
      `\n${obstacles.map((each) => `  ${placeText(each)}: ${each.message} (${each.ruleId})`).join('\n')}`,
    );
  const unnamed = stacks.find(({ config }) => !hasName(config));
  if (unnamed !== undefined)
    throw new CastellanError('CAS8103', `${unnamed.files[0] ?? ''} names no stack (\`stack:\`)`);
  if (stacks.length > 0) return { stacks, skippedPaths };
  throw new CastellanError('CAS2010', whyNoConfiguration(paths, skippedPaths));
}

function hasName(config: unknown): boolean {
  return typeof (config as { readonly stack?: unknown } | null)?.stack === 'string';
}
