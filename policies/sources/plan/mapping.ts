import type { ConfigPath } from '../../../core/yaml/layers.js';

/** How one property of a declaration is read from a resource's attributes. */
export interface Mapping {
  readonly property: ConfigPath;
  readonly attribute: ConfigPath;
  readonly convert?: (value: unknown) => unknown;
}

/** A resource's attributes, and which of them are known only after apply. */
export interface Attributes {
  readonly after: unknown;
  /** Of the form of `after`, with `true` where a value is unknown. */
  readonly afterUnknown: unknown;
  /** Whether the resource is there already: what its provider fills in was not declared. */
  readonly exists: boolean;
}

/** What a resource declares, in the words of castellan.yaml. */
export interface Declared {
  readonly value: Record<string, unknown>;
  readonly unknownPaths: readonly ConfigPath[];
}

/** The placeholder of a value that is known only later, in the form that references have. */
export const later = '${later}';

/**
 * A mapping, by dotted paths.
 *
 * @example map('replicas.min', 'template.0.min_replicas')
 */
export function map(property: string, attribute: string, convert?: (value: unknown) => unknown): Mapping {
  const steps = attribute.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return { property: property.split('.'), attribute: steps, ...(convert === undefined ? {} : { convert }) };
}

/** Reads a declaration by its mappings; what is not set, or empty for the mapping, is left out. */
export function declaredBy(mappings: readonly Mapping[], { after, afterUnknown, exists }: Attributes): Declared {
  const value: Record<string, unknown> = {};
  const unknownPaths: ConfigPath[] = [];
  const attributes = after as Readonly<Record<string, unknown>>;
  const isAllKnown = isEmpty(afterUnknown);
  for (const { property, attribute, convert } of mappings) {
    if (!isAllKnown && isUnknown(afterUnknown, attribute)) {
      unknownPaths.push(property);
      put(value, property, later);
      continue;
    }
    const first = attribute[0] as string;
    const isOpen = !isAllKnown && isPartlyUnknown(at(afterUnknown, attribute));
    if (!isOpen && (isEmptyValue(attributes[first]) || (exists && !isHeld(attributes, first)))) continue;
    const known = attribute.length === 1 ? attributes[first] : at(after, attribute);
    const raw = isOpen ? filled(known, at(afterUnknown, attribute)) : known;
    const converted = isEmptyValue(raw) ? undefined : convert === undefined ? raw : convert(raw);
    if (isEmptyValue(converted)) continue;
    put(value, property, converted);
    if (isOpen) unknownPaths.push(...laterIn(converted, property));
  }
  return { value, unknownPaths };
}

function isEmptyValue(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isPartlyUnknown(shape: unknown): boolean {
  return shape === true || (shape !== null && typeof shape === 'object' && Object.values(shape).some(isPartlyUnknown));
}

/** A value with placeholders of what is known only later: a plan leaves them out. */
function filled(value: unknown, shape: unknown): unknown {
  if (shape === true) return later;
  if (!isPartlyUnknown(shape)) return value;
  const inside = (value !== null && typeof value === 'object' ? value : {}) as Readonly<Record<string, unknown>>;
  if (Array.isArray(shape)) return shape.map((each, index) => filled(inside[index], each));
  const below = Object.entries(shape as object).map(([key, each]) => [key, filled(inside[key], each)] as const);
  return { ...inside, ...Object.fromEntries(below.filter(([, each]) => each !== undefined)) };
}

/** The places of placeholders in a converted value. */
function laterIn(value: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (typeof value === 'string') return value.includes(later) ? [path] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => laterIn(each, [...path, Array.isArray(value) ? Number(key) : key]));
}

function isEmpty(shape: unknown): boolean {
  if (shape === null || typeof shape !== 'object') return shape !== true;
  for (const _key in shape) return false;
  return true;
}

/** The value of an attribute. */
export function at(value: unknown, path: ConfigPath): unknown {
  let current = value;
  for (const step of path) {
    if (current === null || typeof current !== 'object') return undefined;
    // Blocks of at most one element are lists in a plan, single nested attributes are not.
    current = typeof step === 'number' && !Array.isArray(current) ? current : (current as Record<string | number, unknown>)[step];
  }
  return current;
}

function isUnknown(shape: unknown, path: ConfigPath): boolean {
  let current = shape;
  for (const step of path) {
    if (current === true) return true;
    if (current === null || typeof current !== 'object') return false;
    current = typeof step === 'number' && !Array.isArray(current) ? current : (current as Record<string | number, unknown>)[step];
  }
  return current === true || (Array.isArray(current) && current.includes(true));
}

function put(target: Record<string, unknown>, path: ConfigPath, value: unknown): void {
  if (path.length === 1) {
    target[path[0] as string] = value;
    return;
  }
  let current = target;
  for (const step of path.slice(0, -1)) {
    const next = current[step];
    current =
      next !== null && typeof next === 'object' ? (next as Record<string, unknown>) : (current[step] = {} as Record<string, unknown>);
  }
  current[String(path.at(-1))] = value;
}

/** An empty text is how a provider says that nothing is set. */
export function text(value: unknown): unknown {
  return value === '' ? undefined : value;
}

/** An empty list is how a provider says that nothing is set. */
export function notEmpty(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** A word of the provider in the spelling of castellan.yaml; a word that is none is left as it is. */
export function wordOf(words: Readonly<Record<string, string>>): (value: unknown) => unknown {
  return (value) => (typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value);
}

/** Each item of a list, converted; something else is left as it is. */
export function eachOf(convert: (item: Readonly<Record<string, unknown>>) => unknown): (value: unknown) => unknown {
  return (value) =>
    Array.isArray(value)
      ? value.map((item: unknown) => (item !== null && typeof item === 'object' ? convert(item as never) : item))
      : value;
}

/** The properties of an object that are set. */
export function setOnly(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== null && each !== ''));
}

/**
 * Whether a resource that is there already holds an attribute: providers fill in empty texts and lists, and the members that a rule found
 * were not declared.
 */
function isHeld(attributes: Readonly<Record<string, unknown>>, name: string): boolean {
  return isFilled(attributes[name]) && !(name === 'members' && isFilled(attributes['dynamic_membership']));
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}
