import { isObject } from '../../../core/values/is-object.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { JsonPlace } from '../json/json-elements.js';
import { readElements } from '../json/read-elements.js';
import type { PlannedResource, ResourcePiece } from '../../engine/planned-resource.js';
import { liveIdOf } from '../plan/read-plan.js';
import { pieceOf } from '../plan/resource-piece.js';

type Values = Readonly<Record<string, unknown>>;

const element: JsonPlace = { element: true };
const moduleKeys: Record<string, JsonPlace> = { resources: { items: element } };
moduleKeys['child_modules'] = { items: { keys: moduleKeys } };
/** The places of resources in the output of `terraform show -json`, and in Terraform's own file. */
const places: JsonPlace = {
  keys: { values: { keys: { root_module: { keys: moduleKeys } } }, resources: { items: element } },
};
const expected = 'what terraform show -json prints, or the file of the state';

/**
 * Reads the resources of a state, including those of modules, as unchanged resources of a plan: in
 * batches, with constant memory.
 *
 * @param name the file's name in messages.
 * @throws CAS7102 when the file cannot be read, is not JSON, or is not a state.
 */
export async function* readState(
  file: string,
  name = file,
): AsyncGenerator<readonly PlannedResource[]> {
  const refuse = (why: string, cause?: unknown): CastellanError =>
    new CastellanError('CAS7102', `${name} can't be read as a state: ${why}`, {
      details: { file },
      cause,
    });
  const atEnd = (header: ReadonlyMap<string, string>): void => {
    const why = mistakeIn(header);
    if (why !== undefined) throw refuse(why);
  };
  const read = (elements: readonly unknown[], piece: ResourcePiece): readonly PlannedResource[] =>
    elements
      .flatMap((each) => {
        const resources = resourcesOf(each as Values);
        if (resources === undefined)
          throw refuse(`one of its resources has no type and name; expected is ${expected}`);
        return resources;
      })
      .map((resource, position) => ({ ...resource, piece, position }));
  for await (const some of readElements(file, { places, expected, refuse, atEnd }))
    yield pieceOf(some, read);
}

function mistakeIn(header: ReadonlyMap<string, string>): string | undefined {
  if (header.has('planned_values') || header.has('resource_changes'))
    return 'it is a plan; give it with --plan';
  if (header.has('format_version')) {
    const version = header.get('format_version') ?? '';
    return /^[01]\.\d+$/.test(version)
      ? undefined
      : `its format_version is ${JSON.stringify(version)}; known are those from 0.1 to 1.x`;
  }
  if (header.has('encrypted_data')) return `it is encrypted; expected is ${expected}`;
  const version = header.get('version');
  if (version === undefined || !(header.has('resources') || header.has('modules')))
    return `it has no format_version; expected is ${expected}`;
  return version === '4'
    ? undefined
    : `its version is ${version}; known is 4 (Terraform 0.12 or later)`;
}

/**
 * The resource in the output of `terraform show`; or, in Terraform's own file, one per instance.
 */
function resourcesOf(each: Values): readonly PlannedResource[] | undefined {
  const {
    address,
    mode,
    type,
    name,
    values,
    instances,
    module,
    provider,
    provider_name: providerName = provider,
  } = each;
  if (typeof type !== 'string' || typeof name !== 'string') return undefined;
  const make = (at: string, attributes: unknown): PlannedResource =>
    resourceOf(
      { address: at, mode, type, name, providerName },
      isObject(attributes) ? attributes : {},
    );
  if (typeof address === 'string') return [make(address, values)];
  if (!Array.isArray(instances)) return undefined;
  const own = `${typeof module === 'string' ? `${module}.` : ''}${mode === 'data' ? 'data.' : ''}${type}.${name}`;
  return instances
    .filter(isObject)
    .map(({ index_key: key, attributes }) =>
      make(`${own}${key === undefined ? '' : `[${JSON.stringify(key)}]`}`, plain(attributes)),
    );
}

/**
 * Attributes without the types that Terraform's own file has beside dynamic values, such as the
 * body of azapi resources.
 */
function plain(attributes: unknown): unknown {
  if (!isObject(attributes)) return attributes;
  const isTyped = (value: unknown): value is Values =>
    isObject(value) &&
    Object.keys(value).length === 2 &&
    'value' in value &&
    Array.isArray(value['type']);
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key,
      isTyped(value) ? value['value'] : value,
    ]),
  );
}

/** The identity of a resource. */
export interface ResourceIdentity {
  readonly address: string;
  readonly mode: unknown;
  readonly type: string;
  readonly name: string;
  readonly providerName: unknown;
}

/** An unchanged resource with its attributes. */
export function resourceOf(
  { address, mode, type, name, providerName }: ResourceIdentity,
  values: Values,
): PlannedResource {
  const { id } = values;
  return {
    address,
    mode: mode === 'data' || mode === 'ephemeral' ? mode : 'managed',
    type,
    name,
    providerName: typeof providerName === 'string' ? providerName : '',
    actions: ['no-op'],
    before: values,
    after: values,
    afterUnknown: {},
    replacePaths: [],
    ...(typeof id === 'string' && id !== '' ? { liveId: liveIdOf(id) } : {}),
  };
}
