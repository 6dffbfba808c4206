import { isObject } from '../../../../core/values/is-object.js';
import { setAtPath } from '../../../../kinds/schema/path-steps.js';
import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import { isTimeoutsEntry } from '../../../schemas/official-schema.js';
import type { ValueMap } from '../../../values/value.js';
import { expandFields, type BodyFields } from '../../body-fields.js';
import { blocks } from '../../read-values.js';
import { expandIdentity } from '../azurerm-resource.js';
import { fillTemplate, type TemplateSources } from './template.js';

/** A body of a request. */
export type Body = Record<string, unknown>;

/** What the body of a create or update request is made of: the planned and the configured values. */
export interface WriteInput extends TemplateSources {
  /** The path of the resource in requests, which need not be its id. */
  readonly path: string;
  /** The configuration, which alone has write-only values. */
  readonly config: ValueMap;
}

/** The body of the resource: its fields, the texts composed of attributes, and its identities. */
export async function resourceBody(
  type: MappedType,
  fields: BodyFields,
  input: WriteInput,
): Promise<Body> {
  const body: Body = { properties: {}, ...expandTypeFields(type, fields, input) };
  for (const [path, template] of Object.entries(type.arm.texts ?? {})) {
    const text = await fillTemplate(template, input);
    if (text !== undefined) setAtPath(body, path.split('.'), text);
  }
  if ('identity' in (type.blocks ?? {})) body['identity'] = expandIdentity(input.values);
  return body;
}

/**
 * Expands fields as their attributes are described. Write-only values come from the configuration;
 * blocks that the service fills are sent only if they are configured.
 */
export function expandTypeFields(
  { attributes, blocks: blocksByName = {} }: MappedType,
  fields: BodyFields,
  { values, config }: WriteInput,
): Body {
  const replacedValues = new Map<string, ValueMap[string]>();
  for (const [name, data] of Object.entries(attributes))
    if (!isTimeoutsEntry(data) && data.writeOnly === true)
      replacedValues.set(name, config[name] ?? null);
  for (const [name, data] of Object.entries(blocksByName))
    if (typeof data === 'object' && !isTimeoutsEntry(data) && data.computed === true)
      replacedValues.set(name, blocks(config, name).length === 0 ? [] : (values[name] ?? null));
  return expandFields(fields, { ...values, ...Object.fromEntries(replacedValues) });
}

/**
 * The merge patch (RFC 7396) that turns what was sent into what is to be sent: null for what is no
 * longer set.
 */
export function createMergePatch(before: Body, after: Body): Body {
  const removedEntries = Object.keys(before)
    .filter((name) => !(name in after))
    .map((name) => [name, null] as const);
  const presentEntries = Object.entries(after).map(([name, value]) => {
    const oldValue = before[name];
    return [
      name,
      isObject(value) && isObject(oldValue) ? createMergePatch(oldValue, value) : value,
    ] as const;
  });
  return Object.fromEntries([...presentEntries, ...removedEntries]);
}
