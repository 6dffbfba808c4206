import { isObject } from '../../../core/values/is-object.js';
import { badRequest, invalidProperty } from '../http/answers.js';
import type { Body } from '../store/objects.js';
import type { Directory } from './directory.js';
import type { ObjectType, Property } from './object-type.js';
import { ownProperties, requireBinds } from './references.js';
import { isGuid } from '../../../core/values/guid.js';

/** The content of a write besides the settable properties of its type. */
export interface WriteRules {
  /** The object's id in a change, which the body may repeat. */
  readonly id?: string;
  /** Properties that the caller of this function handles itself, such as `passwordProfile`. */
  readonly otherProperties?: readonly string[];
}

/**
 * The settable properties of a request's body, without annotations and bindings.
 *
 * @throws DirectoryError 400 for a read-only property, a wrong type, null where it is not allowed,
 *   and in the azure dialect for an unknown
 * property (in the neutral dialect an open type stores it).
 */
export function writableProperties(
  directory: Directory,
  type: ObjectType,
  body: Body,
  rules: WriteRules = {},
): Record<string, unknown> {
  requireBinds(body, type.binds);
  const values = withoutAnnotations(ownProperties(body)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    if (
      name === 'id' &&
      typeof value === 'string' &&
      value.toLowerCase() === rules.id?.toLowerCase()
    ) {
      delete values[name];
      continue;
    }
    if (rules.otherProperties?.includes(name)) {
      delete values[name];
      continue;
    }
    const property: Property | undefined = Object.hasOwn(type.properties, name)
      ? type.properties[name]
      : undefined;
    if (property) checkValue(name, value, property);
    else if (name === 'id')
      throw badRequest("The property 'id' is read-only and cannot be set.", 'id');
    else if (!type.open || directory.dialect === 'azure')
      throw badRequest(
        `The property '${name}' does not exist on type '${directory.namespace}.${type.name}'.`,
        name,
      );
  }
  return values;
}

/** @throws DirectoryError 400 when one of the named properties is missing, null or empty text. */
export function requireProperties(type: ObjectType, values: Body, names: readonly string[]): void {
  for (const name of names) {
    const value = values[name];
    if (value === undefined || value === null || value === '')
      throw badRequest(
        `A value is required for property '${name}' of resource '${type.name}'.`,
        name,
      );
  }
}

/**
 * @throws DirectoryError 400 for a property that is not in the list.
 * @param what the owner of the properties, such as `a phone`
 */
export function requireKnown(values: Body, names: readonly string[], what: string): void {
  const other = Object.keys(values).find((name) => !names.includes(name));
  if (other !== undefined)
    throw badRequest(`The property '${other}' does not exist on ${what} or is read-only.`, other);
}

function checkValue(name: string, value: unknown, property: Property): void {
  if (property.readOnly)
    throw badRequest(`The property '${name}' is read-only and cannot be set.`, name);
  if (value === null) {
    if (property.notNull) throw badRequest(`The property '${name}' cannot be null.`, name);
    return;
  }
  const { holds, words } = propertyTypes[property.type];
  if (!holds(value)) throw invalidProperty(name, `${words} is expected`);
}

/** The types of properties: in words, and as a test. */
export const propertyTypes: Readonly<
  Record<Property['type'], { readonly words: string; readonly holds: (value: unknown) => boolean }>
> = {
  string: { words: 'a string', holds: (value) => typeof value === 'string' },
  boolean: { words: 'true or false', holds: (value) => typeof value === 'boolean' },
  integer: { words: 'an integer', holds: Number.isInteger },
  dateTime: {
    words: 'an ISO 8601 date and time',
    holds: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  },
  guid: { words: 'a GUID', holds: isGuid },
  object: { words: 'an object', holds: isObject },
  strings: {
    words: 'a list of strings',
    holds: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  },
  objects: {
    words: 'a list of objects',
    holds: (value) => Array.isArray(value) && value.every(isObject),
  },
  any: { words: 'anything', holds: () => true },
};

/** A value without annotations (`@odata.type`) at any depth, which are never properties. */
export function withoutAnnotations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnnotations);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      name.includes('@') ? [] : [[name, withoutAnnotations(each)]],
    ),
  );
}
