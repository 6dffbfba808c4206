import { parseInstant } from '../../../core/values/instant.js';
import { isObject } from '../../../core/values/is-object.js';
import { badRequest, invalidProperty } from '../http/answers.js';
import { foldCase } from '../odata/index.js';
import type { Body } from '../store/objects.js';
import type { Directory } from './directory.js';
import type { ObjectType, Property } from './object-type.js';
import { plainProperties, requireAllowedBinds } from './references.js';
import { isGuid } from '../../../core/values/guid.js';

/** What a body may contain besides the settable properties of its type. */
export interface WriteRules {
  /** The keys by which the path names the object (`id`, `uniqueName`), which the body may repeat. */
  readonly keys?: Body;
  /** Properties that the caller of this function handles itself, such as `passwordProfile`. */
  readonly propertiesLeftToCaller?: readonly string[];
}

/**
 * The settable properties of a request's body, without annotations and bindings.
 *
 * @throws DirectoryError 400 for a read-only property, a relationship, a wrong type, null where it is
 *   not allowed, and an unknown property, which only an open type in the neutral dialect stores.
 */
export function writableProperties(
  directory: Directory,
  type: ObjectType,
  body: Body,
  rules: WriteRules = {},
): Record<string, unknown> {
  requireAllowedBinds(body, type.binds);
  const values = withoutAnnotations(plainProperties(body)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    if (repeatsKey(name, value, rules.keys) || rules.propertiesLeftToCaller?.includes(name)) {
      delete values[name];
      continue;
    }
    requireNoRelationship(type, name);
    const property: Property | undefined = Object.hasOwn(type.properties, name)
      ? type.properties[name]
      : undefined;
    if (property) checkValue(name, value, property);
    else if (name === 'id')
      throw badRequest("The property 'id' is read-only and cannot be set.", 'id');
    else if (!type.isOpenType || directory.dialect === 'azure')
      throw badRequest(
        `The property '${name}' does not exist on type '${directory.namespace}.${type.name}'.`,
        name,
      );
  }
  return values;
}

/** @throws DirectoryError 400 for a relationship, which a body binds and other requests change. */
export function requireNoRelationship(
  { navigations = {}, properties }: ObjectType,
  name: string,
): void {
  if (Object.hasOwn(navigations, name) && !Object.hasOwn(properties, name))
    throw badRequest(
      `'${name}' is a relationship: it is changed by references, and not by a property of a body.`,
      name,
    );
}

/** Whether a property repeats a key of the object, in any letter case. */
function repeatsKey(name: string, value: unknown, keys: Body = {}): boolean {
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  return typeof key === 'string' && typeof value === 'string' && foldCase(value) === foldCase(key);
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
 * Checks that all properties of a body are known.
 *
 * @param owner what has the properties, for the message: `a phone`.
 * @throws DirectoryError 400 for a property that is not in the list.
 */
export function requireKnownProperties(
  values: Body,
  names: readonly string[],
  owner: string,
): void {
  const unknownName = Object.keys(values).find((name) => !names.includes(name));
  if (unknownName !== undefined)
    throw badRequest(
      `The property '${unknownName}' does not exist on ${owner} or is read-only.`,
      unknownName,
    );
}

function checkValue(name: string, value: unknown, property: Property): void {
  if (property.readOnly)
    throw badRequest(`The property '${name}' is read-only and cannot be set.`, name);
  if (value === null) {
    if (property.notNull) throw badRequest(`The property '${name}' cannot be null.`, name);
    return;
  }
  const { matches, expectation } = propertyTypes[property.type];
  if (!matches(value)) throw invalidProperty(name, `${expectation} is expected`);
}

/** For each type of properties: what messages expect, and whether a value has the type. */
export const propertyTypes: Readonly<
  Record<
    Property['type'],
    { readonly expectation: string; readonly matches: (value: unknown) => boolean }
  >
> = {
  string: { expectation: 'a string', matches: (value) => typeof value === 'string' },
  boolean: { expectation: 'true or false', matches: (value) => typeof value === 'boolean' },
  integer: { expectation: 'an integer', matches: Number.isInteger },
  dateTime: {
    expectation: 'an ISO 8601 date and time',
    matches: (value) => typeof value === 'string' && !Number.isNaN(parseInstant(value)),
  },
  guid: { expectation: 'a GUID', matches: isGuid },
  object: { expectation: 'an object', matches: isObject },
  strings: {
    expectation: 'a list of strings',
    matches: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  },
  objects: {
    expectation: 'a list of objects',
    matches: (value) => Array.isArray(value) && value.every(isObject),
  },
  any: { expectation: 'anything', matches: () => true },
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

/** A body with changes applied: the named properties are merged by member, others are replaced. */
export function mergeProperties(
  current: Body,
  changes: Body,
  mergedProperties: readonly string[] = [],
): Record<string, unknown> {
  const next: Record<string, unknown> = { ...current, ...changes };
  for (const name of mergedProperties) {
    const [before, change] = [current[name], changes[name]];
    if (isObject(before) && isObject(change))
      next[name] = mergeProperties(before, change, Object.keys(change));
  }
  return next;
}
