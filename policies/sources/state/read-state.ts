import { CastellanError } from '../../../core/errors/castellan-error.js';
import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { PlannedResource } from '../../engine/planned-resource.js';
import { JsonDocument, type JsonObject } from '../json-document.js';
import { sensitiveTextsIn } from '../plan/sensitive-texts.js';
import { openTofuEncryptionMessage, isKnownFormat, liveIdOf } from '../plan/read-plan.js';

const expected = 'what terraform show -json prints, or the file of the state';

/**
 * Reads the resources of a state, including those of modules, as unchanged resources of a plan;
 * without deposed objects, which the next apply destroys.
 *
 * @param name the file's name in messages.
 * @throws CAS7102 when the file cannot be read, is not JSON, is larger than 512 MB, or is not a
 *   state.
 */
export async function readState(file: string, name = file): Promise<readonly PlannedResource[]> {
  const createError = (why: string, cause?: unknown): CastellanError =>
    new CastellanError('CAS7102', `${name} can't be read as a state: ${why}`, {
      details: { file },
      cause,
    });
  const state = await JsonDocument.read(file, { expected, createError });
  const mistake = mistakeIn(state.root);
  if (mistake !== undefined) throw createError(mistake);
  const module = state.objectAt(state.objectAt(state.root, 'values'), 'root_module');
  return [...state.listAt(state.root, 'resources'), ...resourcesOfModule(state, module)].flatMap(
    (element) => {
      const resources = resourcesOf(element);
      if (resources === undefined)
        throw createError(`one of its resources has no type and name; expected is ${expected}`);
      return resources;
    },
  );
}

function resourcesOfModule(state: JsonDocument, module: JsonObject): readonly JsonObject[] {
  return [
    ...state.listAt(module, 'resources'),
    ...state
      .listAt(module, 'child_modules')
      .flatMap((element) => resourcesOfModule(state, element)),
  ];
}

function mistakeIn(state: JsonObject): string | undefined {
  if ('planned_values' in state || 'resource_changes' in state)
    return 'it is a plan; give it with --plan';
  const { format_version: format, version } = state;
  if (format !== undefined)
    return isKnownFormat(format)
      ? undefined
      : `its format_version is ${JSON.stringify(format)}; known are those from 0.1 to 1.x`;
  if ('encrypted_data' in state) return openTofuEncryptionMessage;
  if (version === undefined || !('resources' in state || 'modules' in state))
    return `it has no format_version; expected is ${expected}`;
  return version === 4
    ? undefined
    : `its version is ${JSON.stringify(version)}; known is 4 (Terraform 0.12 or later)`;
}

/**
 * The resource in the output of `terraform show`; or, in Terraform's own file, one per instance.
 */
function resourcesOf(element: JsonObject): readonly PlannedResource[] | undefined {
  const {
    address,
    mode,
    type,
    name,
    values,
    sensitive_values: sensitiveValues,
    instances,
    module,
    provider,
    provider_name: providerName = provider,
    deposed_key: deposedKey,
  } = element;
  if (typeof type !== 'string' || typeof name !== 'string') return undefined;
  if (deposedKey !== undefined) return [];
  const resourceAt = (resourceAddress: string, attributes: unknown): PlannedResource =>
    unchangedResource(
      { address: resourceAddress, mode, type, name, providerName },
      isObject(attributes) ? attributes : {},
    );
  if (typeof address === 'string') {
    const sensitiveTexts = sensitiveTextsIn(values, sensitiveValues);
    const resource = resourceAt(address, values);
    return [sensitiveTexts.length === 0 ? resource : { ...resource, sensitiveTexts }];
  }
  if (!Array.isArray(instances)) return undefined;
  const addressOfResource = `${typeof module === 'string' ? `${module}.` : ''}${mode === 'data' ? 'data.' : ''}${type}.${name}`;
  return instances
    .filter(isObject)
    .filter(({ deposed }) => deposed === undefined)
    .map(({ index_key: key, attributes }) =>
      resourceAt(
        `${addressOfResource}${key === undefined ? '' : `[${JSON.stringify(key)}]`}`,
        withoutTypes(attributes),
      ),
    );
}

/**
 * Attributes without the types that Terraform's own file has beside dynamic values, such as the
 * body of azapi resources.
 */
function withoutTypes(attributes: unknown): unknown {
  if (!isObject(attributes)) return attributes;
  const isTyped = (value: unknown): value is JsonObject =>
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
  /** `managed`, `data` or `ephemeral`, as the state has it, unchecked. */
  readonly mode: unknown;
  readonly type: string;
  readonly name: string;
  /** The address of the provider, as the state has it, unchecked. */
  readonly providerName: unknown;
}

/** An unchanged resource with its attributes. */
export function unchangedResource(
  { address, mode, type, name, providerName }: ResourceIdentity,
  values: JsonObject,
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
    ...omitUndefined({ liveId: typeof id === 'string' && id !== '' ? liveIdOf(id) : undefined }),
  };
}
