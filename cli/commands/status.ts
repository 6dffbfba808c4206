import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EnvironmentFlags,
  withoutDefaultEnvironment,
  environmentOption,
} from '../apply/options.js';
import type { RegisterCommand, CliIo } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { listFolder } from '../../core/source/list-folder.js';
import { environmentFolder } from '../../core/project/environment-folder.js';
import { formatDuration } from '../../core/text/quantities.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { type ClockStatus, type FaultsStatus, sandboxStatus } from '../../sandbox/index.js';

/** `castellan status`: shows what is running, and where. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(
    program
      .command('status')
      .description('Show the sandbox, the stacks applied to it and where their apps are.'),
  )
    .option(...environmentOption)
    .action(async (flags: FormatFlags & EnvironmentFlags) => {
      done(await printStatus(withoutDefaultEnvironment(flags).environment, formatOf(flags), io));
    });
};

/** A stack that was applied to the sandbox, by its state file. */
export interface AppliedStackState {
  readonly name: string;
  /** The number of managed resources in its state; each instance counts. */
  readonly resources: number;
  /** Its state cannot be read: it is being written, or a killed run left half of it. */
  readonly unreadable?: true;
  /** OpenTofu has encrypted its state: how many resources it has is not known. */
  readonly encrypted?: true;
}

async function printStatus(
  environment: string | undefined,
  format: 'text' | 'json',
  io: CliIo,
): Promise<number> {
  const sandbox = await sandboxStatus(io.cwd, environment);
  const stacks = appliedStackStates(io.cwd, environment);
  printResult(
    format,
    { sandbox, stacks },
    [...describeSandbox(sandbox), ...describeStacks(stacks), ''].join('\n'),
    io,
  );
  return exitCodes.clean;
}

/** Reads the managed resources from the state files, without Terraform. */
export function appliedStackStates(projectDir: string, environment?: string): AppliedStackState[] {
  const folder = join(projectDir, environmentFolder(environment));
  return listFolder(folder).flatMap((file) => {
    const name = /^terraform\.([^.]+)(?:\.[^.]+)?\.tfstate$/.exec(file)?.[1];
    if (name === undefined) return [];
    const state = parseState(readFileSync(join(folder, file), 'utf8'));
    if (state === undefined) return [{ name, resources: 0, unreadable: true }];
    if (state.encrypted_data !== undefined) return [{ name, resources: 0, encrypted: true }];
    const managedResources = (state.resources ?? []).filter(({ mode }) => mode === 'managed');
    return [
      {
        name,
        resources: managedResources.reduce((sum, { instances }) => sum + instances.length, 0),
      },
    ];
  });
}

/** What is read of a Terraform state file. */
interface State {
  /** In place of the rest, in a state that OpenTofu has encrypted. */
  readonly encrypted_data?: string;
  readonly resources?: readonly {
    /** `managed`, or `data` for a data source. */
    readonly mode: string;
    /** One, or one for each index or key of `count` or `for_each`. */
    readonly instances: readonly unknown[];
  }[];
}

/** The content of a state file; an empty file is a first run's. */
function parseState(text: string): State | undefined {
  if (text === '') return {};
  try {
    return JSON.parse(text) as State;
  } catch {
    return undefined; // the caller reports it
  }
}

function describeSandbox(sandbox: Awaited<ReturnType<typeof sandboxStatus>>): string[] {
  if (!sandbox.running) return ['sandbox: not running'];
  const { origin, pid, startedAt, apps } = sandbox;
  return [
    `sandbox: ${origin} (process ${String(pid)}, up ${formatDuration(Date.now() - Date.parse(startedAt))})`,
    ...describeClockAndFaults(sandbox),
    ...apps.map(({ name, url, state, runs, replicas, detail }) => {
      const facts = [
        state,
        runs,
        `${String(replicas)} replica${replicas === 1 ? '' : 's'}`,
        ...(detail === undefined ? [] : [detail]),
      ];
      return `  ${name}  ${url ?? 'no ingress'}  ${facts.join(', ')}`;
    }),
  ];
}

/** The time of the sandbox, if it is ahead, and the faults that it injects; a line each. */
export function describeClockAndFaults({
  clock,
  faults,
}: {
  readonly clock: ClockStatus;
  readonly faults: FaultsStatus;
}): string[] {
  const aheadText = formatDuration(clock.aheadSeconds * 1000);
  return [
    ...(clock.aheadSeconds === 0 ? [] : [`  its time is ${clock.now}, ${aheadText} ahead`]),
    ...(faults.faults.length === 0 ? [] : [`  it injects faults: ${faults.name ?? 'of a test'}`]),
  ];
}

function describeStacks(stacks: readonly AppliedStackState[]): string[] {
  return stacks.map((stack) => `${stack.name}: ${describeApplied(stack)}`);
}

/** What is applied of a stack: `3 resources applied`. */
export function describeApplied({
  resources,
  unreadable,
  encrypted,
}: Omit<AppliedStackState, 'name'>): string {
  if (encrypted) return 'applied; its state is encrypted, and `castellan plan` reads it';
  if (unreadable) return "its state can't be read; `castellan up` puts it right";
  if (resources === 0) return 'nothing applied';
  return `${String(resources)} resource${resources === 1 ? '' : 's'} applied`;
}
