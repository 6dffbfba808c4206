import {
  type TypeExpression,
  BigNumber,
  Dynamic,
  isList,
  isMap,
  isUnknown,
  type Value,
} from './value.js';

/** A JSON document, as a service answers with one. */
export type Json =
  null | string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/**
 * A value as JSON for a request body. Null attributes stay null; a number beyond JavaScript's
 * precision is rounded.
 */
export function toJson(value: Value): Json {
  if (isUnknown(value)) throw new TypeError('a value that is not known yet cannot be sent');
  if (value instanceof Dynamic) return toJson(value.value);
  if (value instanceof BigNumber) return value.toNumber();
  if (isList(value)) return value.map(toJson);
  if (isMap(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toJson(each)]));
  return value;
}

/** A JSON document as a dynamic value: objects and tuples, as `jsondecode` types it. */
export function fromJson(json: Json): Dynamic {
  return new Dynamic(typeOfJson(json), json);
}

/** The Terraform type of a JSON document. */
export function typeOfJson(json: Json): TypeExpression {
  if (json === null) return 'dynamic';
  if (typeof json === 'string') return 'string';
  if (typeof json === 'number') return 'number';
  if (typeof json === 'boolean') return 'bool';
  if (Array.isArray(json)) return ['tuple', (json as readonly Json[]).map(typeOfJson)];
  return [
    'object',
    Object.fromEntries(
      Object.entries(json as Record<string, Json>).map(([name, each]) => [name, typeOfJson(each)]),
    ),
  ];
}

/**
 * Reads a value of a type from the JSON of a state file. Attributes that the type lacks are
 * dropped, missing ones become null. `JSON.parse` has rounded numbers beyond JavaScript's
 * precision.
 */
export function fromStateJson(json: Json | undefined, type: TypeExpression): Value {
  if (json === null || json === undefined) return null;
  if (type === 'dynamic') {
    const { type: innerType, value } = json as { type: TypeExpression; value: Json };
    return new Dynamic(innerType, fromStateJson(value, innerType));
  }
  if (type === 'string') return typeof json === 'string' ? json : JSON.stringify(json);
  if (type === 'number') return typeof json === 'number' ? json : Number(json);
  if (type === 'bool') return typeof json === 'boolean' ? json : json === 'true';
  const [kind, innerType] = type;
  if (kind === 'object') {
    const object = json as Readonly<Record<string, Json>>;
    return Object.fromEntries(
      Object.entries(innerType).map(([name, each]) => [name, fromStateJson(object[name], each)]),
    );
  }
  if (kind === 'map')
    return Object.fromEntries(
      Object.entries(json as Record<string, Json>).map(([name, each]) => [
        name,
        fromStateJson(each, innerType),
      ]),
    );
  if (kind === 'tuple')
    return innerType.map((each, index) => fromStateJson((json as readonly Json[])[index], each));
  return (json as readonly Json[]).map((each) => fromStateJson(each, innerType));
}
