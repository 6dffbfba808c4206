import { BigNumber, isList, isMap, type Value, type ValueMap } from '../values/value.js';

/** A text attribute; undefined where it is null, unknown or empty. */
export function optionalText(attributes: ValueMap | undefined, name: string): string | undefined {
  const value = attributes?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A required text attribute, such as an id. */
export function textOrEmpty(attributes: ValueMap, name: string): string {
  return optionalText(attributes, name) ?? '';
}

/** A text attribute for services that accept null for unset values. */
export function textOrNull(attributes: ValueMap | undefined, name: string): string | null {
  return optionalText(attributes, name) ?? null;
}

/** A number attribute; undefined if unset. */
export function optionalNumber(attributes: ValueMap | undefined, name: string): number | undefined {
  const value = attributes?.[name];
  if (value instanceof BigNumber) return value.toNumber();
  return typeof value === 'number' ? value : undefined;
}

/** A boolean attribute; false if unset. */
export function isTrue(attributes: ValueMap | undefined, name: string): boolean {
  return attributes?.[name] === true;
}

/** A boolean attribute; undefined if unset. */
export function optionalBoolean(
  attributes: ValueMap | undefined,
  name: string,
): boolean | undefined {
  const value = attributes?.[name];
  return typeof value === 'boolean' ? value : undefined;
}

/** The texts in a list or set. */
export function textList(attributes: ValueMap | undefined, name: string): string[] {
  const value = attributes?.[name];
  return isList(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** The entries of a map of texts. */
export function textMap(attributes: ValueMap | undefined, name: string): Record<string, string> {
  const value = attributes?.[name];
  if (!isMap(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

/** The objects in a list or set of blocks. */
export function blocks(attributes: ValueMap | undefined, name: string): ValueMap[] {
  const value = attributes?.[name];
  return isList(value) ? value.filter(isMap) : [];
}

/** The object of a block that is allowed once, or of a nested attribute. */
export function oneBlock(attributes: ValueMap | undefined, name: string): ValueMap | undefined {
  const value = attributes?.[name];
  return isMap(value) ? value : blocks(attributes, name)[0];
}

/** Whether an attribute differs between two states. */
export function differsIn(before: ValueMap, after: ValueMap, ...names: readonly string[]): boolean {
  return names.some(
    (name) => JSON.stringify(sortList(before[name])) !== JSON.stringify(sortList(after[name])),
  );
}

function sortList(value: Value | undefined): Value {
  return isList(value) && value.every((each) => typeof each === 'string')
    ? [...value].sort()
    : (value ?? null);
}

/** The additions and removals that turn one list into another; letter case of ids is ignored. */
export function listDifference(
  before: readonly string[],
  after: readonly string[],
): { readonly add: string[]; readonly remove: string[] } {
  const [beforeSet, afterSet] = [
    new Set(before.map((each) => each.toLowerCase())),
    new Set(after.map((each) => each.toLowerCase())),
  ];
  return {
    add: after.filter((each) => !beforeSet.has(each.toLowerCase())),
    remove: before.filter((each) => !afterSet.has(each.toLowerCase())),
  };
}

/** A raw object of a service, to read properties that the client's types lack. */
export type RawObject = Readonly<Record<string, unknown>>;

/** A property of an answer as an object. */
export function objectProperty(answer: unknown, name: string): RawObject {
  const value = isRawObject(answer) ? answer[name] : undefined;
  return isRawObject(value) ? value : {};
}

/** A property of an answer as a list of objects. */
export function objectListProperty(answer: unknown, name: string): RawObject[] {
  const value = isRawObject(answer) ? answer[name] : undefined;
  return Array.isArray(value) ? value.filter(isRawObject) : [];
}

/**
 * A property of an answer as a Terraform value: texts, numbers, booleans and lists of texts;
 * anything else is null.
 */
export function propertyAsValue(answer: unknown, name: string): Value {
  const value = isRawObject(answer) ? answer[name] : undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string')
    : null;
}

function isRawObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
