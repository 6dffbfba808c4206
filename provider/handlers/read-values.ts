import { BigNumber, isList, isMap, type Value, type ValueMap } from '../values/value.js';

/** A text attribute; undefined where it is null, unknown or empty. */
export function text(from: ValueMap | undefined, name: string): string | undefined {
  const value = from?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A text attribute that must be there, as required attributes and ids are. */
export function mustText(from: ValueMap, name: string): string {
  return text(from, name) ?? '';
}

/** A text attribute for services that take null where nothing is set. */
export function textOrClear(from: ValueMap | undefined, name: string): string | null {
  return text(from, name) ?? null;
}

/** A number attribute; undefined where it is not set. */
export function number(from: ValueMap | undefined, name: string): number | undefined {
  const value = from?.[name];
  if (value instanceof BigNumber) return value.toNumber();
  return typeof value === 'number' ? value : undefined;
}

/** A boolean attribute; false where it is not set. */
export function flag(from: ValueMap | undefined, name: string): boolean {
  return from?.[name] === true;
}

/** A boolean attribute; undefined where it is not set. */
export function flagIfSet(from: ValueMap | undefined, name: string): boolean | undefined {
  const value = from?.[name];
  return typeof value === 'boolean' ? value : undefined;
}

/** The texts of a list or set. */
export function texts(from: ValueMap | undefined, name: string): string[] {
  const value = from?.[name];
  return isList(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** The entries of a map of texts. */
export function textMap(from: ValueMap | undefined, name: string): Record<string, string> {
  const value = from?.[name];
  if (!isMap(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The objects of a list or set of blocks. */
export function blocks(from: ValueMap | undefined, name: string): ValueMap[] {
  const value = from?.[name];
  return isList(value) ? value.filter(isMap) : [];
}

/** The one object of a block that may stand once, or of a nested attribute. */
export function oneBlock(from: ValueMap | undefined, name: string): ValueMap | undefined {
  const value = from?.[name];
  return isMap(value) ? value : blocks(from, name)[0];
}

/** Whether an attribute differs between two states. */
export function differs(a: ValueMap, b: ValueMap, ...names: readonly string[]): boolean {
  return names.some((name) => JSON.stringify(sortList(a[name])) !== JSON.stringify(sortList(b[name])));
}

function sortList(value: Value | undefined): Value {
  return isList(value) && value.every((each) => typeof each === 'string') ? [...value].sort() : (value ?? null);
}

/** What has to be added to and removed from one list to make it another; letter case of ids is ignored. */
export function listChange(before: readonly string[], after: readonly string[]): { readonly add: string[]; readonly remove: string[] } {
  const [was, becomes] = [new Set(before.map((each) => each.toLowerCase())), new Set(after.map((each) => each.toLowerCase()))];
  return { add: after.filter((each) => !was.has(each.toLowerCase())), remove: before.filter((each) => !becomes.has(each.toLowerCase())) };
}

/** An object of a service as it came, for reading what the client's types don't name. */
export type Raw = Readonly<Record<string, unknown>>;

/** A property of an answer as an object. */
export function object(from: unknown, name: string): Raw {
  const value = isRaw(from) ? from[name] : undefined;
  return isRaw(value) ? value : {};
}

/** A property of an answer as a list of objects. */
export function objects(from: unknown, name: string): Raw[] {
  const value = isRaw(from) ? from[name] : undefined;
  return Array.isArray(value) ? value.filter(isRaw) : [];
}

/** A property of an answer as a value of Terraform: texts, numbers, booleans and lists of texts; anything else is null. */
export function valueIfSet(from: unknown, name: string): Value {
  const value = isRaw(from) ? from[name] : undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : null;
}

function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object without the entries that are undefined, so that they are left out of a request. */
export function dropUndefined<T extends object>(from: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
