import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import type { RegisterCommand, CliIo } from '../command.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { defaultEnvironment, environmentFolder } from '../../core/project/environment-folder.js';
import { diskFiles } from '../../core/source/file-access.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { LoadedStack } from '../../policies/index.js';
import { environmentsOfStacks, overlayPath } from '../../policies/model/environments.js';
import { sandboxStatus } from '../../sandbox/index.js';
import { plannedChanges } from '../../stacks/terraform/plan.js';
import { openAppliedStacks } from '../apply/open-applied-stacks.js';
import type { ApplyOptions } from '../apply/options.js';
import { terraformOf } from '../apply/plan-stacks.js';
import { withApplyLock } from '../apply/apply-lock.js';
import type { ApplySession, RunnableStack } from '../apply/session.js';
import { reportSkippedPaths } from '../skipped-paths.js';
import { loadNamedStacks } from '../named-stacks.js';
import { hasProtectedStack } from '../apply/check-stacks.js';
import { type AppliedStackState, appliedStackStates, describeApplied } from './status.js';

/**
 * `castellan environments [path…]`: lists the environments of configurations, with their applied
 * resources and drift.
 */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(
    program
      .command('environments')
      .description(
        'List the environments of configurations, what is applied to the sandbox of each, and what drifted there.',
      )
      .argument('[path...]', 'castellan.yaml files, or folders that hold one', ['.']),
  )
    .option('--no-drift', 'do not look for drift, which asks the services')
    .action(async (paths: string[], flags: FormatFlags & { readonly drift: boolean }) => {
      done(
        await listEnvironments({ paths, format: formatOf(flags), looksForDrift: flags.drift }, io),
      );
    });
};

/** A stack in an environment, with what is applied of it. */
interface ListedStack extends AppliedStackState {
  /** The files that declare it there. */
  readonly files: readonly string[];
  /** The addresses that differ from the state; absent if not compared. */
  readonly drift?: readonly string[];
}

interface ListedEnvironment {
  readonly name: string;
  /** Whether one of its stacks says `protected: true`. */
  readonly protected: boolean;
  /** The environment's own sandbox; `origin` is its address, where it runs. */
  readonly sandbox: { readonly running: boolean; readonly origin?: string };
  readonly stacks: readonly ListedStack[];
}

interface EnvironmentsOptions {
  readonly paths: readonly string[];
  readonly format: 'text' | 'json';
  /** Whether to look for objects that differ from the state, which asks the services. */
  readonly looksForDrift: boolean;
}

async function listEnvironments(options: EnvironmentsOptions, io: CliIo): Promise<number> {
  const { paths } = options;
  const { stacks: baseStacks, skippedPaths } = await loadNamedStacks(paths, undefined, io);
  reportSkippedPaths(skippedPaths, io);
  const listedEnvironments: ListedEnvironment[] = [];
  for (const name of [
    defaultEnvironment,
    ...environmentsOfStacks(baseStacks, { cwd: io.cwd, files: diskFiles }),
  ])
    listedEnvironments.push(await listEnvironment(name, options, io));
  printResult(
    options.format,
    { environments: listedEnvironments },
    listedEnvironments.map(describeEnvironment).join(''),
    io,
  );
  return exitCodes.clean;
}

async function listEnvironment(
  name: string,
  { paths, looksForDrift }: EnvironmentsOptions,
  io: CliIo,
): Promise<ListedEnvironment> {
  const environment = name === defaultEnvironment ? undefined : name;
  const { stacks } = await loadNamedStacks(paths, environment, io);
  const declaredStacks = stacks.filter((stack) => stack.environment === environment);
  const sandbox = await sandboxStatus(io.cwd, environment);
  const applied = appliedStackStates(io.cwd, environment);
  const driftByStack =
    sandbox.running && looksForDrift ? await driftOf(declaredStacks, environment, io) : undefined;
  return {
    name,
    protected: hasProtectedStack(declaredStacks),
    sandbox: sandbox.running ? { running: true, origin: sandbox.origin } : { running: false },
    stacks: declaredStacks.map(({ config, files }) => {
      const driftOfStack = driftByStack?.get(config.stack);
      const appliedStack = applied.find((each) => each.name === config.stack);
      return {
        name: config.stack,
        files:
          environment === undefined
            ? files
            : [...new Set([...files, overlayPath(files[0] ?? '', environment)])],
        resources: 0,
        ...appliedStack,
        ...omitUndefined({ drift: driftOfStack }),
      };
    }),
  };
}

/** The addresses whose objects differ from the state, by stack; Terraform compares them. */
async function driftOf(
  declaredStacks: readonly LoadedStack[],
  environment: string | undefined,
  io: CliIo,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = resolve(io.cwd, environmentFolder(environment), 'stacks');
  const synthesizedStacks = declaredStacks.filter(({ config }) =>
    existsSync(join(folder, config.stack, 'cdk.tf.json')),
  );
  const driftByStack = new Map<string, readonly string[]>();
  if (synthesizedStacks.length === 0) return driftByStack;
  const options: ApplyOptions = {
    paths: [],
    target: 'sandbox',
    providers: 'castellan',
    autoApprove: false,
    allowReplace: [],
    allowDestroy: [],
    download: 'refused',
    format: 'text',
    ...omitUndefined({ environment }),
  };
  await withApplyLock(options, io, async () => {
    const { session } = await openAppliedStacks(synthesizedStacks, options, io, () => undefined);
    for (const stack of session.stacks)
      driftByStack.set(stack.name, await driftedAddresses(stack, session));
  });
  return driftByStack;
}

/** The addresses whose objects a plan would restore. */
async function driftedAddresses(
  stack: RunnableStack,
  session: ApplySession,
): Promise<readonly string[]> {
  const terraform = terraformOf(stack, session, () => undefined);
  await terraform.init();
  const plan = await terraform.plan('castellan.drift.tfplan');
  // a value that a service has computed meanwhile is no drift: no plan would restore it
  const restoredAddresses = new Set(plannedChanges(plan).map(({ address }) => address));
  const drifted = plannedChanges({ resource_changes: plan.resource_drift ?? [] }).map(
    ({ address }) => address,
  );
  return drifted.filter((address) => restoredAddresses.has(address));
}

function describeEnvironment({
  name,
  protected: isProtected,
  sandbox,
  stacks,
}: ListedEnvironment): string {
  const sandboxText = sandbox.running
    ? `sandbox at ${sandbox.origin ?? ''}`
    : 'sandbox not running';
  const lines = stacks.map(
    ({ name: stack, files, drift, ...applied }) =>
      `  ${stack} (${files.join(' + ')}): ${describeApplied(applied)}${describeDrift(drift)}`,
  );
  return [`${name}: ${sandboxText}${isProtected ? ', protected' : ''}`, ...lines, ''].join('\n');
}

function describeDrift(drift: readonly string[] | undefined): string {
  if (drift === undefined) return '';
  return drift.length === 0 ? ', no drift' : `, drifted: ${drift.join(', ')}`;
}
