import { CastellanError } from '../../core/errors/castellan-error.js';
import type { LoadedStack } from '../../policies/index.js';
import type { EngineName } from '../../stacks/terraform/engine-release.js';
import type { Engine } from '../../stacks/terraform/find-terraform.js';
import type { CliIo } from '../command.js';
import type { ApplyOptions } from './options.js';
import type { PrintLine } from './progress.js';

/**
 * The engine that the stacks ask for (`engine:`).
 *
 * @throws CAS2108 when they ask for different ones.
 */
export function engineOfStacks(stacks: readonly LoadedStack[]): EngineName | undefined {
  const engines = new Map(
    stacks.flatMap(({ config }) =>
      config.engine === undefined ? [] : [[config.engine, config.stack]],
    ),
  );
  if (engines.size > 1)
    throw new CastellanError(
      'CAS2108',
      [...engines].map(([engine, stack]) => `stack ${stack} has engine: ${engine}`).join(', '),
    );
  return [...engines.keys()][0];
}

/** Finds the Terraform program, and downloads it if none is installed. @throws CAS2101, CAS2102. */
export async function findTerraformProgram(
  options: Pick<ApplyOptions, 'download'> & { readonly engine?: EngineName | undefined },
  io: CliIo,
  printLine: PrintLine,
): Promise<string> {
  const { findTerraform } = await import('../../stacks/terraform/find-terraform.js');
  return findTerraform({
    projectDir: io.cwd,
    env: io.env,
    configuredEngine: options.engine,
    download: options.download,
    announce: printLine,
  });
}

/**
 * Finds the Terraform program as {@link findTerraformProgram} does. @throws CAS2102 also for one
 * that is too old to apply stacks.
 */
export async function findSupportedEngine(
  ...search: Parameters<typeof findTerraformProgram>
): Promise<{ readonly program: string; readonly engine: Engine }> {
  const program = await findTerraformProgram(...search);
  const { requireSupportedEngine } = await import('../../stacks/terraform/supported-engines.js');
  return { program, engine: await requireSupportedEngine(program) };
}
