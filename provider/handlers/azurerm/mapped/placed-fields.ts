import { omitUndefined } from '../../../../core/values/omit-undefined.js';
import {
  type AttributeData,
  type BlockData,
  type BodyData,
  isTimeoutsEntry,
} from '../../../schemas/official-schema.js';
import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import type { TypeExpression } from '../../../values/value.js';
import { type BodyField, flattenFields } from '../../body-fields.js';
import { objectListProperty } from '../../read-values.js';
import { conversionsOf } from './value-conversions.js';

/**
 * The fields of a type: those of the resource, and those of each child document
 * (`blobServices/default`) or list action (`listKeys`).
 */
export interface PlacedFields {
  /** The fields of the resource's own body, by attribute. */
  readonly ownFields: Readonly<Record<string, BodyField>>;
  /** By path below the resource's id, the fields by attribute. */
  readonly childDocuments: ReadonlyMap<string, Readonly<Record<string, BodyField>>>;
  /** By list action, the fields that its answer has, by attribute. */
  readonly actions: ReadonlyMap<string, Readonly<Record<string, BodyField>>>;
}

/** Reads the places of a type's attributes and blocks; those that make up its id have none. */
export function placedFields(type: MappedType): PlacedFields {
  const idAttributes = new Set(['id', ...type.arm.ids.flatMap(attributeNamesIn)]);
  const fieldsByOwner = new Map<string, Record<string, BodyField>>();
  for (const [name, field, documentOrAction] of placedEntries(type, 'properties.')) {
    if (idAttributes.has(name)) continue;
    const fields = fieldsByOwner.get(documentOrAction) ?? {};
    fields[name] = field;
    fieldsByOwner.set(documentOrAction, fields);
  }
  const { '': ownFields = {}, ...fieldsByChild } = Object.fromEntries(fieldsByOwner);
  const childFields = Object.entries(fieldsByChild);
  return {
    ownFields,
    childDocuments: new Map(
      childFields.filter(([documentOrAction]) => !isListAction(documentOrAction)),
    ),
    actions: new Map(childFields.filter(([documentOrAction]) => isListAction(documentOrAction))),
  };
}

function attributeNamesIn({ id, path = '' }: MappedType['arm']['ids'][number]): string[] {
  const names = [...`${id}${path}`.matchAll(/\{(\w+)/g)].map(([, name = '']) => name);
  return names.map((name) => (name === 'group' ? 'resource_group_name' : name));
}

function isListAction(documentOrAction: string): boolean {
  return /(^|\/)list[A-Z]\w*$/.test(documentOrAction);
}

function placedEntries(
  { attributes, blocks = {} }: BodyData,
  base: string,
): (readonly [name: string, field: BodyField, documentOrAction: string])[] {
  const attributeEntries = Object.entries(attributes).flatMap(([name, data]) => {
    const field = isTimeoutsEntry(data) ? undefined : attributeField(name, data, base);
    return field === undefined ? [] : [[name, field, (data as AttributeData).of ?? ''] as const];
  });
  const blockEntries = Object.entries(blocks).flatMap(([name, data]) =>
    typeof data === 'string' || isTimeoutsEntry(data) || data.unserved === true
      ? []
      : [[name, blockField(name, data, base), data.of ?? ''] as const],
  );
  return [...attributeEntries, ...blockEntries];
}

function attributeField(name: string, data: AttributeData, base: string): BodyField | undefined {
  const { type, at, as: format, stateDefault, kept, value, unserved, default: initial } = data;
  const isSet = data.optional === true || data.required === true;
  const path = at ?? `${base}${camelCase(name)}`;
  if (path === '' || value !== undefined || unserved === true) return undefined;
  const listDefault = Array.isArray(type) && type[0] !== 'map' ? { stateDefault: [] } : {};
  const booleanDefault = type === 'bool' ? { stateDefault: initial ?? false } : {};
  return {
    bodyPath: path,
    ...listDefault,
    ...booleanDefault,
    ...omitUndefined({ stateDefault, sentOnly: kept }),
    ...(!isSet && { readOnly: true as const }),
    ...conversionsOf(format),
    ...objectListReader(type),
  };
}

/**
 * A computed list of objects, such as `custom_dns_configs`: its members have names of their own.
 */
function objectListReader(type: TypeExpression | undefined): Pick<BodyField, 'rawToState'> {
  const [, elementType] = Array.isArray(type) ? type : [];
  const [kind, members] = Array.isArray(elementType) ? elementType : [];
  if (kind !== 'object' || members === undefined) return {};
  const fields = Object.fromEntries(
    Object.keys(members as object).map((name) => [name, camelCase(name)]),
  );
  return {
    rawToState: (answer) =>
      objectListProperty({ answer }, 'answer').map((each) => flattenFields(fields, each)),
  };
}

function blockField(name: string, data: BlockData, base: string): BodyField {
  const { at, max, constants } = data;
  const fields = Object.fromEntries(
    placedEntries(data, '').map(([inner, field]) => [inner, field]),
  );
  return {
    bodyPath: at ?? `${base}${camelCase(name)}`,
    fields,
    ...(max === 1 && { isSingleObject: true as const }),
    ...(constants !== undefined && { extraConversions: { expand: () => constants } }),
  };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
