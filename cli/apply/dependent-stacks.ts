import { shellWord } from '../../core/text/shell-word.js';
import type { LoadedStack } from '../../policies/index.js';
import { loadConfig } from '../../policies/model/load-config.js';
import { appliedStackFiles } from '../../sandbox/console/applied-stack-files.js';
import { sandboxPaths } from '../../sandbox/paths.js';
import type { CliIo } from '../command.js';
import { appliedStackStates } from '../commands/status.js';
import { printText } from '../format.js';
import type { ApplyOptions } from './options.js';

/**
 * Warns on stderr about stacks that stay applied to the sandbox and depend on stacks that are
 * destroyed.
 */
export async function warnOfDependentStacks(
  destroyedStacks: readonly LoadedStack[],
  { environment }: ApplyOptions,
  io: CliIo,
): Promise<void> {
  const destroyedNames = new Set(destroyedStacks.map(({ config }) => config.stack));
  const remainingNames = new Set(
    appliedStackStates(io.cwd, environment).flatMap(({ name, resources }) =>
      resources === 0 || destroyedNames.has(name) ? [] : [name],
    ),
  );
  for (const { name, file } of appliedStackFiles(sandboxPaths(io.cwd, environment))) {
    if (!remainingNames.has(name)) continue;
    const { stacks } = await loadConfig({ paths: [file], environment, cwd: io.cwd });
    const dependsOn = stacks.find(({ config }) => config.stack === name)?.config.dependsOn ?? [];
    const destroyedDependencies = dependsOn.filter((each) => destroyedNames.has(each));
    if (destroyedDependencies.length > 0)
      printText(
        io.stderr,
        `castellan: ${name} depends on ${destroyedDependencies.join(', ')} and stays applied: \`castellan down ${shellWord(file)}\` destroys it\n`,
      );
  }
}
