import { isObject } from '../../../core/values/is-object.js';
import type { Json } from '../../values/json.js';

/** Options of comparing a declared body with the service's. */
export interface CompareOptions {
  /** Texts that differ only in letter case count as equal. */
  readonly ignoreCasing: boolean;
  /** Properties that the service omits count as equal: secrets are never returned. */
  readonly ignoreMissing: boolean;
  /** A declared null counts as equal to any value. */
  readonly ignoreNull: boolean;
  /** The property by which elements of a list are found, by the path of the list. @default name */
  readonly listIds?: Readonly<Record<string, string>>;
  /** The paths of lists in which elements that are not declared count as absent. */
  readonly openLists?: readonly string[];
}

/**
 * The part of the service's body that is declared: only declared properties, with the service's
 * values where they differ. Equal to the declared body exactly if the service satisfies it.
 */
export function pickDeclared(
  declared: Json,
  actual: Json | undefined,
  options: CompareOptions,
  path = '',
): Json {
  if (isObject(declared) && isObject(actual))
    return Object.fromEntries(
      Object.entries(declared).flatMap(([name, value]): [string, Json][] => {
        if (value === null && options.ignoreNull) return [[name, null]];
        const actualValue = ownMember(actual, name);
        if (actualValue !== undefined && actualValue !== null)
          return [[name, pickDeclared(value, actualValue, options, memberPath(path, name))]];
        return options.ignoreMissing || isUnset(value) ? [[name, value]] : [];
      }),
    );
  if (isArray(declared) && isArray(actual))
    return pickDeclaredElements(declared, actual, options, path);
  if (
    typeof declared === 'string' &&
    typeof actual === 'string' &&
    ((options.ignoreCasing && declared.toLowerCase() === actual.toLowerCase()) ||
      (options.ignoreMissing && isMasked(actual)))
  )
    return declared;
  return actual === undefined ? declared : actual;
}

/** Elements with an id are compared with the one of that id, others with the one at their place. */
function pickDeclaredElements(
  declared: readonly Json[],
  actual: readonly Json[],
  options: CompareOptions,
  path: string,
): Json {
  const idName = options.listIds?.[path] ?? 'name';
  if (!haveIds(idName, declared, actual))
    return declared.length === actual.length
      ? declared.map((each, index) => pickDeclared(each, actual[index], options, path))
      : actual;
  const rest = [...actual];
  const picked = declared.flatMap((each): Json[] => {
    const index = indexOfSame(rest, each, idName);
    return index < 0 ? [] : [pickDeclared(each, rest.splice(index, 1)[0], options, path)];
  });
  return options.openLists?.includes(path) === true ? picked : [...picked, ...rest];
}

function haveIds(idName: string, ...lists: readonly (readonly Json[])[]): boolean {
  return lists.every(([first]) => first !== undefined && elementId(first, idName) !== undefined);
}

function indexOfSame(list: readonly Json[], element: Json, idName: string): number {
  const index = list.findIndex((other) => isSameJson(other, element));
  const id = elementId(element, idName);
  if (index >= 0 || id === undefined) return index;
  return list.findIndex((other) => elementId(other, idName) === id);
}

function elementId(element: Json, idName: string): string | undefined {
  const id = valueAt(element, idName);
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Whether a declared value equals an absent one. */
function isUnset(value: Json): boolean {
  if (isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === null || value === '' || value === false;
}

/** Whether a service returns a text in the place of a secret. */
function isMasked(text: string): boolean {
  return text === '' || text === '<redacted>' || /^\*+$/.test(text);
}

/** Whether the service has all declared values. */
export function isSatisfiedBy(declared: Json, actual: Json, options: CompareOptions): boolean {
  return isSameJson(pickDeclared(declared, actual, options), declared);
}

/** Whether two documents are equal, regardless of the order of properties. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (isArray(a) && isArray(b))
    return a.length === b.length && a.every((each, index) => isSameJson(each, b[index]));
  if (isObject(a) && isObject(b))
    return (
      Object.keys(a).length === Object.keys(b).length &&
      Object.keys(a).every(
        (name) => Object.hasOwn(b, name) && isSameJson(ownMember(a, name), ownMember(b, name)),
      )
    );
  return a === b;
}

/**
 * Merges two bodies: objects by member, elements of lists by id, or by place in lists of the same
 * length; otherwise the second one wins.
 */
export function mergeBodies(
  base: Json,
  overrides: Json,
  options: Pick<CompareOptions, 'listIds'> = {},
  path = '',
): Json {
  if (isArray(base) && isArray(overrides)) return mergeLists(base, overrides, options, path);
  if (!isObject(base) || !isObject(overrides)) return overrides;
  const merged = Object.entries(overrides).map(([name, value]): [string, Json] => [
    name,
    mergeBodies(ownMember(base, name) ?? null, value, options, memberPath(path, name)),
  ]);
  return Object.fromEntries([...Object.entries(base), ...merged]);
}

function mergeLists(
  base: readonly Json[],
  overrides: readonly Json[],
  options: Pick<CompareOptions, 'listIds'>,
  path: string,
): Json {
  const idName = options.listIds?.[path] ?? 'name';
  if (!haveIds(idName, base, overrides))
    return base.length === overrides.length
      ? base.map((each, index) => mergeBodies(each, overrides[index] ?? null, options, path))
      : overrides;
  const rest = [...overrides];
  const merged = base.map((each) => {
    const index = indexOfSame(rest, each, idName);
    return index < 0 ? each : mergeBodies(each, rest.splice(index, 1)[0] ?? null, options, path);
  });
  return [...merged, ...rest];
}

/** The value at a dotted path in a document, such as `properties.login.tokenStore`. */
export function valueAt(document: Json | undefined, path: string): Json | undefined {
  let value = document;
  for (const name of path.split('.')) {
    if (isObject(value)) value = ownMember(value, name);
    else value = isArray(value) ? value[Number(name)] : undefined;
  }
  return value;
}

/** An own member of the document: `constructor` and `__proto__` are names like any other. */
function ownMember(object: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether a document is a list, also for the type of its elements. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
