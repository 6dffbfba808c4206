import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { exitCodes } from '../../../core/findings/exit-code.js';
import { environmentFolder } from '../../../core/project/environment-folder.js';
import { sandboxCapacity } from '../../../core/sandbox/capacity.js';
import { makeFolder } from '../../../core/source/make-folder.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';
import { withoutDefaultEnvironment } from '../../apply/options.js';
import { storeSecrets } from '../../apply/generated-secrets.js';
import type { CliIo } from '../../command.js';
import { type FormatFlags, formatOf, printResult, printText } from '../../format.js';
import { changeFile } from '../../files.js';
import { withDefaultSandbox, connectApi } from '../../services/service-clients.js';
import type { ServiceFlags } from '../../services/service-options.js';
import { type AdoptedSecret, adoptStack } from './adopt-stack.js';
import { FoundResources } from './found-resources.js';
import { requireOverlay } from './require-overlay.js';
import { isStackName, requireStackName } from './stack-name.js';

/** The options of `castellan adopt`. */
export interface AdoptEverythingFlags extends ServiceFlags, FormatFlags {
  /** The file of the state to adopt, `-` for a pipe. @default what the services have */
  readonly state?: string;
  readonly resourceGroup?: string;
  /** Which groups, as `$filter` of the directory. @default all */
  readonly filter?: string;
  /** The name that the written stack gets. @default that of the state, else `adopted` */
  readonly stack?: string;
  readonly out?: string;
  readonly force?: boolean;
  /** `--no-import`. */
  readonly import: boolean;
}

/** The objects to adopt, and their source. */
interface AdoptionSource {
  /** The source in messages. */
  readonly label: string;
  /** The objects, as resources of a state. */
  readonly resources: readonly PlannedResource[];
  /** The stack that the state file's name says; undefined where it says none. */
  readonly stack?: string | undefined;
  /** The environment of the sandbox that gets the secrets; undefined for the default one. */
  readonly environment?: string | undefined;
  /** The capacity of workspaces without one. */
  readonly capacity?: string;
  /** Adds the declared objects of a file to the state of its stack, if possible. */
  readonly adoptIntoState?: (file: string, secrets: readonly AdoptedSecret[]) => Promise<void>;
}

/**
 * Declares everything in a state or in the services: apps with their sign-in layer, registrations,
 * groups, workspaces and items.
 *
 * @throws CAS8202 when the file exists; CAS8204 when there are several resource groups and none is
 *   named; CAS8001 for an environment without its overlay, and a name that no stack may have.
 */
export async function adoptEverything(flags: AdoptEverythingFlags, io: CliIo): Promise<number> {
  const { state, out, force } = flags;
  const format = formatOf(flags);
  if (flags.stack !== undefined) requireStackName(flags.stack);
  if (out !== undefined && force !== true && existsSync(resolve(io.cwd, out)))
    throw new CastellanError('CAS8202', `${out}; --force replaces it`);
  const { label, resources, adoptIntoState, environment, capacity, ...source } = await (state ===
  undefined
    ? sourceFromServices(flags.stack ?? 'adopted', flags, io)
    : sourceFromState(state, io));
  const { config, secrets, counts } = adoptStack(
    flags.stack ?? source.stack ?? 'adopted',
    new FoundResources(resources),
    capacity,
  );
  if (counts.size === 0)
    throw new CastellanError(
      'CAS2010',
      `nothing that castellan.yaml declares is in ${label}: nothing is written`,
    );
  const text = stringify(config, { lineWidth: 0 });
  if (out === undefined) {
    if (format === 'text') io.stdout.write(text);
  } else {
    makeFolder(dirname(resolve(io.cwd, out)));
    changeFile(io, out, text);
  }
  const countsText = [...counts]
    .map(([section, count]) => `${section} ${String(count)}`)
    .join(', ');
  printText(io.stderr, `declared${out === undefined ? '' : ` in ${out}`}: ${countsText}\n`);
  keepSecrets(secrets, environment, io);
  if (out !== undefined) await adoptIntoState?.(out, secrets);
  if (format === 'json')
    printResult(
      format,
      { configuration: config, declared: Object.fromEntries(counts), file: out },
      '',
      io,
    );
  return exitCodes.clean;
}

async function sourceFromState(state: string, io: CliIo): Promise<AdoptionSource> {
  const { readState } = await import('../../../policies/sources/state/read-state.js');
  const name = state === '-' ? 'what came from the pipe' : state;
  const resources = await readState(state === '-' ? '/dev/stdin' : resolve(io.cwd, state), name);
  // the sandbox names its state files like this
  const [, stackId = '', environment] =
    /(?:^|[/\\])terraform\.([A-Za-z][\w-]*)(?:\.([\w-]+))?\.tfstate$/.exec(state) ?? [];
  // programs in TypeScript may name their stacks otherwise
  const stack = isStackName(stackId) ? stackId : undefined;
  // beside a project, a file of that name is the state of `--target azure`
  const isOfCloud = stackId !== '' && !/(?:^|[/\\])\.castellan[/\\]/.test(state);
  return {
    label: name,
    resources,
    stack,
    environment,
    ...(!isOfCloud && { capacity: sandboxCapacity.id }),
  };
}

async function sourceFromServices(
  stack: string,
  options: AdoptEverythingFlags,
  io: CliIo,
): Promise<AdoptionSource> {
  const flags = await withDefaultSandbox(options, io);
  const { environment } = withoutDefaultEnvironment(flags);
  const target = flags.sandbox === true ? 'sandbox' : 'azure';
  const importsIntoState = flags.import && flags.out !== undefined;
  if (importsIntoState) requireOverlay(flags.out, flags, io);
  const { requireEmptyState, adoptIntoState } = await import('./adopt-into-state.js');
  if (importsIntoState) requireEmptyState(stack, { target, environment }, io);
  const api = await connectApi(flags, io);
  const { liveResources } = await import('./live-resources.js');
  const note = (message: string): void => printText(io.stderr, `note: ${message}\n`);
  const resources = await liveResources(api, { ...flags, note });
  const source = {
    label: 'the services',
    resources,
    environment,
    ...(target === 'sandbox' && { capacity: sandboxCapacity.id }),
  };
  if (!importsIntoState) return source;
  return {
    ...source,
    adoptIntoState: (file, secrets) =>
      adoptIntoState({ file, target, environment, api, resources, secrets }, io),
  };
}

/**
 * A configuration contains no secrets: those that the sandbox has are stored with its generated
 * ones, and the others are listed.
 */
function keepSecrets(
  secrets: readonly AdoptedSecret[],
  environment: string | undefined,
  io: CliIo,
): void {
  if (secrets.length === 0) return;
  const knownSecrets = secrets.filter(({ value }) => value !== undefined);
  const hasSandbox = existsSync(join(io.cwd, environmentFolder(environment)));
  const unsetSecrets = hasSandbox ? secrets.filter(({ value }) => value === undefined) : secrets;
  const variablesText = (some: readonly AdoptedSecret[]): string =>
    [...new Set(some.map(({ variable }) => variable))].join(', ');
  if (unsetSecrets.length > 0)
    printText(
      io.stderr,
      `set ${variablesText(unsetSecrets)} to what the apps have: a configuration holds no secrets\n`,
    );
  if (!hasSandbox || knownSecrets.length === 0) return;
  storeSecrets(
    io.cwd,
    Object.fromEntries(knownSecrets.map(({ variable, value = '' }) => [variable, value])),
    environment,
  );
  printText(
    io.stderr,
    `the sandbox has ${variablesText(knownSecrets)} as before; for the cloud set them to what the apps have\n`,
  );
}
