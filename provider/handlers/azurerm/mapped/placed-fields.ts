import { omitUndefined } from '../../../../core/values/omit-undefined.js';
import {
  type AttributeData,
  type BlockData,
  type BodyData,
  isOperations,
} from '../../../schemas/official-schema.js';
import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import type { TypeExpression } from '../../../values/value.js';
import { type Field, flattenFields } from '../../body-fields.js';
import { objects } from '../../read-values.js';
import { spellingOf } from './value-conversions.js';

/** The fields of a type: those of the resource, and those of each child document or list action. */
export interface PlacedFields {
  readonly own: Readonly<Record<string, Field>>;
  readonly documents: ReadonlyMap<string, Readonly<Record<string, Field>>>;
  readonly actions: ReadonlyMap<string, Readonly<Record<string, Field>>>;
}

/** Reads the places of a type's attributes and blocks; those that make up its id have none. */
export function placedFields(type: MappedType): PlacedFields {
  const inIds = new Set(['id', ...type.arm.ids.flatMap(namesIn)]);
  const groups = new Map<string, Record<string, Field>>();
  for (const [name, field, of] of entriesOf(type, 'properties.')) {
    if (inIds.has(name)) continue;
    const group = groups.get(of) ?? {};
    group[name] = field;
    groups.set(of, group);
  }
  const { '': own = {}, ...rest } = Object.fromEntries(groups);
  const below = Object.entries(rest);
  return {
    own,
    documents: new Map(below.filter(([of]) => !isAction(of))),
    actions: new Map(below.filter(([of]) => isAction(of))),
  };
}

function namesIn({ id, path = '' }: MappedType['arm']['ids'][number]): string[] {
  const names = [...`${id}${path}`.matchAll(/\{(\w+)/g)].map(([, name = '']) => name);
  return names.map((name) => (name === 'group' ? 'resource_group_name' : name));
}

function isAction(of: string): boolean {
  return /(^|\/)list[A-Z]\w*$/.test(of);
}

function entriesOf(
  { attributes, blocks = {} }: BodyData,
  base: string,
): (readonly [name: string, field: Field, of: string])[] {
  const own = Object.entries(attributes).flatMap(([name, data]) => {
    const field = isOperations(data) ? undefined : attributeField(name, data, base);
    return field === undefined ? [] : [[name, field, (data as AttributeData).of ?? ''] as const];
  });
  const inner = Object.entries(blocks).flatMap(([name, data]) =>
    typeof data === 'string' || isOperations(data) || data.unserved === true
      ? []
      : [[name, blockField(name, data, base), data.of ?? ''] as const],
  );
  return [...own, ...inner];
}

function attributeField(name: string, data: AttributeData, base: string): Field | undefined {
  const { type, at, as, absent, kept, value, unserved, default: initial } = data;
  const isSet = data.optional === true || data.required === true;
  const path = at ?? `${base}${camelCase(name)}`;
  if (path === '' || value !== undefined || unserved === true) return undefined;
  const list = Array.isArray(type) && type[0] !== 'map' ? { absent: [] } : {};
  const whenAbsent = type === 'bool' ? { absent: initial ?? false } : {};
  return {
    at: path,
    ...list,
    ...whenAbsent,
    ...omitUndefined({ absent, sentOnly: kept }),
    ...(!isSet && { readOnly: true as const }),
    ...spellingOf(as),
    ...rowsOf(type),
  };
}

/**
 * A computed list of objects, such as `custom_dns_configs`: its members have names of their own.
 */
function rowsOf(type: TypeExpression | undefined): Pick<Field, 'read'> {
  const [, row] = Array.isArray(type) ? type : [];
  const [kind, members] = Array.isArray(row) ? row : [];
  if (kind !== 'object' || members === undefined) return {};
  const fields = Object.fromEntries(
    Object.keys(members as object).map((name) => [name, camelCase(name)]),
  );
  return {
    read: (answer) => objects({ answer }, 'answer').map((each) => flattenFields(fields, each)),
  };
}

function blockField(name: string, data: BlockData, base: string): Field {
  const { at, max, constants } = data;
  const fields = Object.fromEntries(entriesOf(data, '').map(([inner, field]) => [inner, field]));
  return {
    at: at ?? `${base}${camelCase(name)}`,
    fields,
    ...(max === 1 && { single: true as const }),
    ...(constants !== undefined && { more: { expand: () => constants } }),
  };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
