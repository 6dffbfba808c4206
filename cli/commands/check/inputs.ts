import type { Command } from 'commander';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { RunCheckOptions } from '../../../policies/check/check-report.js';
import type { LiveReader } from '../../../policies/model/live-reader.js';
import type { Finding } from '../../../core/findings/finding.js';
import type { LoadedStack } from '../../../policies/model/loaded-stack.js';
import { stacksByAccessTest, hasAccessTest } from '../../access/access-test-files.js';
import type { CliIo } from '../../command.js';
import {
  type ServiceFlags,
  addServiceOptions,
  liveServiceText,
  refuseServiceFlags,
} from '../../services/service-options.js';

/** The flags that name the inputs of a check besides its configurations. */
export interface InputFlags extends ServiceFlags {
  /** The environment whose overlay is laid over the configurations. */
  readonly environment?: string;
  readonly policy?: string;
  /** The file of a plan as JSON, `-` for a pipe. */
  readonly plan?: string;
  /** The file of a state, `-` for a pipe. */
  readonly state?: string;
  /** The file that says which construct or declaration made a resource of plan or state. */
  readonly manifest?: string;
  /** The folder of .tf files from which plan or state was made. */
  readonly source?: string;
  readonly live?: boolean;
}

/** Adds the options of {@link InputFlags}. */
export function addInputOptions(command: Command): Command {
  command
    .option(
      '-e, --environment <name>',
      'lay the overlay of an environment over it (castellan.NAME.yaml)',
    )
    .option(
      '--plan <file>',
      'check a plan, too: what terraform show -json PLANFILE prints (- for a pipe)',
    )
    .option(
      '--state <file>',
      'check a state, too: what terraform show -json prints for it, or its file (- for a pipe)',
    )
    .option(
      '--manifest <file>',
      'where the resources of the plan or state come from (default: castellan.manifest.json beside it, or in cdktf.out)',
    )
    .option(
      '--source <folder>',
      'the folder of .tf or .tofu files that the plan or state was made from, to show their lines',
    )
    .option(
      '--live',
      'look at the directory and the workspaces, too: owners of the declared groups, and what differs there',
    )
    .option(
      '--policy <file>',
      'the policy (default: castellan.policy.yaml here or beside a configuration)',
    );
  return addServiceOptions(command, liveServiceText);
}

/**
 * The options of the check for paths and flags. Checks the current folder if no path is given,
 * unless only a plan or state is: `--live` needs declarations to compare with.
 */
export async function checkOptionsOf(
  paths: readonly string[],
  flags: InputFlags,
  io: CliIo,
): Promise<RunCheckOptions> {
  const { environment, policy, plan, state, manifest, source } = flags;
  if (plan === '-' && state === '-')
    throw new CastellanError('CAS8001', 'only one of --plan and --state can come from a pipe');
  if (manifest !== undefined && plan === undefined && state === undefined)
    throw new CastellanError(
      'CAS8001',
      '--manifest says where the resources of a plan or state come from: give --plan or --state, too',
    );
  if (source !== undefined && plan === undefined && state === undefined)
    throw new CastellanError(
      'CAS8001',
      '--source is the folder from which a plan or state was made: give --plan or --state, too',
    );
  const needsConfigurations = flags.live === true || (plan === undefined && state === undefined);
  const live = await liveReaderOf(flags, io);
  const location = {
    paths: paths.length === 0 && needsConfigurations ? ['.'] : paths,
    cwd: io.cwd,
    env: io.env,
  };
  const accessTests = async (stacks: readonly LoadedStack[]): Promise<readonly Finding[]> => {
    const tests = stacksByAccessTest(stacks, io.cwd);
    if (tests.size === 0) return [];
    // loaded only if there are access tests: it loads the directory's rules
    const { accessTestFindings } = await import('../../access/access-test-findings.js');
    return accessTestFindings(tests, io);
  };
  const accessTestsAtBase: RunCheckOptions['accessTestsAtBase'] = async (stacks, base) => {
    if (base.stacks.every((stack) => !hasAccessTest(stack, base.files, io.cwd))) return [];
    const { accessTestFindingsAtBase } = await import('../../access/access-tests-at-base.js');
    return accessTestFindingsAtBase(stacks, base, io);
  };
  return {
    ...location,
    environment,
    policy,
    plan,
    state,
    manifest,
    source,
    live,
    accessTests,
    accessTestsAtBase,
  };
}

/**
 * Connects to the live services for `--live`, which loads their clients.
 *
 * @throws CAS8001 for a flag that only `--live` uses.
 */
async function liveReaderOf(
  { live, ...flags }: InputFlags,
  io: CliIo,
): Promise<LiveReader | undefined> {
  if (live === true) return (await import('./live-objects.js')).liveObjectsReader(flags, io);
  refuseServiceFlags(flags, ['endpoint', 'sandbox', 'dialect', 'ca'], '--live');
  return undefined;
}
