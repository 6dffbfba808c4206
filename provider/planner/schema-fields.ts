import { typeOfAttribute, typeOfBody } from '../schemas/schema-builders.js';
import type { Attribute, BlockSchema, Nesting } from '../schemas/schema.js';
import {
  isList,
  isMap,
  isUnknown,
  type Path,
  type Value,
  type TypeExpression,
} from '../values/value.js';

/** An attribute or block of a body, visited in a walk over a resource. */
export interface SchemaField {
  readonly name: string;
  /** The type of the whole value: of repeated blocks, that of their list or set. */
  readonly type: TypeExpression;
  /** The attribute; absent for blocks. */
  readonly attribute?: Attribute;
  /** The content of a block or a nested attribute. */
  readonly nested?: { readonly nesting: Nesting; readonly body: BlockSchema };
  /** Whether a change of the value replaces the resource. */
  readonly forceNew: boolean;
  /** A block that the service fills if it is not configured. */
  readonly filledByService: boolean;
}

const fieldsByBody = new WeakMap<BlockSchema, readonly SchemaField[]>();

/** The fields of a body, attributes first. */
export function fieldsOf(body: BlockSchema): readonly SchemaField[] {
  let fields = fieldsByBody.get(body);
  if (fields === undefined) fieldsByBody.set(body, (fields = readFields(body)));
  return fields;
}

function readFields(body: BlockSchema): readonly SchemaField[] {
  const attributes = Object.entries(body.attributes).map(([name, attribute]) => ({
    name,
    type: typeOfAttribute(attribute),
    attribute,
    forceNew: attribute.forceNew === true,
    filledByService: false,
    ...(attribute.nested && {
      nested: { nesting: attribute.nested.nesting, body: attribute.nested },
    }),
  }));
  const blocks = Object.entries(body.blocks ?? {}).map(([name, block]): SchemaField => {
    const type = typeOfBody(block);
    return {
      name,
      type: block.nesting === 'single' ? type : [block.nesting, type],
      nested: { nesting: block.nesting, body: block },
      forceNew: block.forceNew === true,
      filledByService: block.computed === true,
    };
  });
  return [...attributes, ...blocks];
}

/**
 * An object in a field, with the step that leads to it; elements of a set have no address, so their
 * step is absent.
 */
export interface Element {
  readonly value: Value;
  /** The path of the field with that step; for an element of a set, without it. */
  readonly path: Path;
  /** The index in a list, or the key in a map. */
  readonly key?: string | number;
}

/** The objects in a field's value; none if it is null or unknown. */
export function elementsOf(
  value: Value | undefined,
  nesting: Nesting,
  path: Path,
): readonly Element[] {
  if (value === undefined || value === null || isUnknown(value)) return [];
  if (nesting === 'single') return [{ value, path }];
  if (nesting === 'map')
    return isMap(value)
      ? Object.entries(value).map(([key, each]) => ({ value: each, path: [...path, { key }], key }))
      : [];
  if (!isList(value)) return [];
  return value.map((each, key) =>
    nesting === 'set' ? { value: each, path } : { value: each, path: [...path, key], key },
  );
}

/** The element of a value with a key or index; undefined for sets, whose elements have none. */
export function elementAt(
  value: Value | undefined,
  nesting: Nesting,
  key: string | number | undefined,
): Value | undefined {
  if (nesting === 'single') return value ?? undefined;
  if (nesting === 'list' && isList(value) && typeof key === 'number') return value[key];
  return nesting === 'map' && isMap(value) && key !== undefined ? value[key] : undefined;
}
