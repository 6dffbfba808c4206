import { readFileSync } from 'node:fs';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { PlannedResource } from '../plan/read-plan.js';

type Values = Readonly<Record<string, unknown>>;

interface ResourceJson {
  readonly address: string;
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  readonly provider_name?: string;
  readonly values?: Values;
}

interface ModuleJson {
  readonly resources?: readonly ResourceJson[];
  readonly child_modules?: readonly ModuleJson[];
}

interface StateJson {
  readonly format_version?: unknown;
  readonly values?: { readonly root_module?: ModuleJson };
}

/**
 * Reads the resources of a state (`terraform show -json`), those of modules included, as resources that a plan leaves as they are.
 * What Terraform writes for an attribute that nobody set (an empty text or list) is left out, so that it is not taken for a declaration.
 *
 * @throws CAS7102 when the file can't be read, is no JSON, or is something else.
 */
export function* readState(file: string): Generator<PlannedResource> {
  for (const module of modulesOf(parse(file).values?.root_module ?? {}))
    for (const resource of module.resources ?? []) yield resourceOf(resource);
}

function* modulesOf(module: ModuleJson): Generator<ModuleJson> {
  yield module;
  for (const child of module.child_modules ?? []) yield* modulesOf(child);
}

function parse(file: string): StateJson {
  const refused = (why: string, cause?: unknown): CastellanError =>
    new CastellanError('CAS7102', `${file} can't be read as a state: ${why}`, { details: { file }, cause });
  let state: unknown;
  try {
    state = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw refused((cause as Error).message, cause);
  }
  if (state === null || typeof state !== 'object') throw refused('it is no object');
  if ('planned_values' in state || 'resource_changes' in state) throw refused('it is a plan; give it with --plan');
  if (!('format_version' in state)) throw refused('expected is what terraform show -json prints, not the file of the state itself');
  return state;
}

function resourceOf({ address, mode, type, name, provider_name, values = {} }: ResourceJson): PlannedResource {
  const held = heldBy(values);
  const liveId = liveIdOf(values);
  return {
    address,
    mode,
    type,
    name,
    providerName: provider_name ?? '',
    actions: ['no-op'],
    before: held,
    after: held,
    afterUnknown: {},
    replacePaths: [],
    ...(liveId === undefined ? {} : { liveId }),
  };
}

function heldBy(values: Values): Values {
  const isSet = (value: unknown): boolean => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  const held = Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value)));
  // The members that a rule found are nobody's declaration.
  if (held['dynamic_membership'] !== undefined) delete held['members'];
  return held;
}

/** The id by which the service knows the object: newer versions of the official provider put `/groups/` before it. */
function liveIdOf({ id }: Values): string | undefined {
  return typeof id === 'string' && id !== '' ? id.replace(/^\/(groups|users|applications|servicePrincipals)\/(?=[^/]+$)/, '') : undefined;
}
