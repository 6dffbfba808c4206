import type { ConfigPath } from '../../../core/yaml/layers.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Mapping } from '../../../kinds/schema/mapping.js';
import { unknownPlaceholder } from '../../../kinds/schema/readers.js';
import { valueAtPath, resolveSteps, stepsOf } from '../../../kinds/schema/path-steps.js';

/** A resource's attributes, and which of them are known only after apply. */
export interface Attributes {
  readonly after: unknown;
  /** In the form of `after`, with `true` for an unknown value. */
  readonly afterUnknown: unknown;
  /** Whether the resource exists already: values that its provider filled in were not declared. */
  readonly exists: boolean;
}

/** The declaration in a resource, with the names of castellan.yaml. */
export interface DeclaredValue {
  readonly value: Record<string, unknown>;
  readonly unknownPaths: readonly ConfigPath[];
}

/**
 * A mapping between dotted paths.
 *
 * @example mapAttribute('replicas.min', 'template.0.min_replicas')
 */
export function mapAttribute(
  property: string,
  attribute: string,
  read?: (value: unknown) => unknown,
): Mapping {
  return {
    property: property.split('.'),
    attribute: stepsOf(attribute),
    ...omitUndefined({ read }),
  };
}

/**
 * Reads a declaration by its mappings; values that are unset, or empty for the mapping, are left
 * out.
 */
export function readDeclared(
  mappings: readonly Mapping[],
  { after, afterUnknown, exists }: Attributes,
): DeclaredValue {
  const value: Record<string, unknown> = {};
  const unknownPaths: ConfigPath[] = [];
  const attributes = after as Readonly<Record<string, unknown>>;
  const shapes = (afterUnknown === true ? undefined : (afterUnknown ?? {})) as
    Readonly<Record<string, unknown>> | undefined;
  const { places, holders } = prepareMappings(mappings);
  const held = valuesAt(holders, after);
  for (const { property, path, read, holder, rest, choosesEntry } of places) {
    // most attributes are known, and most of them not set
    const top = path[0];
    const shape = typeof top === 'string' ? shapes?.[top] : true;
    if (shapes !== undefined && (shape === undefined || shape === false)) {
      const holding = held[holder];
      if (isEmptyValue(holding) || (exists && !isDeclaredAttribute(attributes, top as string)))
        continue;
      const known = valueAtPath(holding, rest);
      const converted = isEmptyValue(known) || read === undefined ? known : read(known);
      if (!isEmptyValue(converted)) setAt(value, property, converted);
      continue;
    }
    const attribute = choosesEntry ? resolveSteps(path, after) : path;
    if (isUnknown(afterUnknown, attribute)) {
      unknownPaths.push(property);
      setAt(value, property, unknownPlaceholder);
      continue;
    }
    const first = attribute[0] as string;
    const isOpen = isPartlyUnknown(valueAtPath(afterUnknown, attribute));
    if (
      !isOpen &&
      (isEmptyValue(attributes[first]) || (exists && !isDeclaredAttribute(attributes, first)))
    )
      continue;
    const known = valueAtPath(after, attribute);
    const raw = isOpen ? withPlaceholders(known, valueAtPath(afterUnknown, attribute)) : known;
    const converted = isEmptyValue(raw) ? undefined : read === undefined ? raw : read(raw);
    if (isEmptyValue(converted)) continue;
    setAt(value, property, converted);
    if (isOpen) unknownPaths.push(...placeholderPaths(converted, property));
  }
  return { value, unknownPaths };
}

/**
 * The source of a mapping: `rest` continues from one of the holders, which several mappings share.
 */
interface PreparedMappings {
  readonly places: readonly {
    readonly property: ConfigPath;
    readonly path: ConfigPath;
    readonly read: Mapping['read'];
    readonly holder: number;
    readonly rest: ConfigPath;
    /** Whether a step selects a list entry by a member: `type=Liveness`. */
    readonly choosesEntry: boolean;
  }[];
  /**
   * The objects that contain attributes, each after the one that contains it: `template.0`, then
   * `template.0.container.0`.
   */
  readonly holders: readonly Holder[];
}

interface Holder {
  /** The index of the holder around this one; -1 for the attributes themselves. */
  readonly parent: number;
  readonly steps: ConfigPath;
}

const prepared = new WeakMap<readonly Mapping[], PreparedMappings>();

/**
 * The mappings with their shared holders: most mappings of a container app are in three or four
 * blocks, each of which is found once.
 */
function prepareMappings(mappings: readonly Mapping[]): PreparedMappings {
  const found = prepared.get(mappings);
  if (found !== undefined) return found;
  const holders: Holder[] = [{ parent: -1, steps: [] }];
  const indexes = new Map<string, number>([['', 0]]);
  const holderOf = (steps: ConfigPath): number => {
    const known = indexes.get(steps.join('.'));
    if (known !== undefined) return known;
    const above = steps.findLastIndex((step) => typeof step === 'string');
    holders.push({ parent: holderOf(steps.slice(0, above)), steps: steps.slice(above) });
    indexes.set(steps.join('.'), holders.length - 1);
    return holders.length - 1;
  };
  const places = mappings.map(({ property, attribute, read }) => {
    const choice = attribute.findIndex(
      (step) => typeof step === 'string' && (step === '*' || step.includes('=')),
    );
    const end = Math.max(0, choice === -1 ? attribute.length - 1 : choice);
    const above = attribute.slice(0, end);
    const rest = attribute.slice(end);
    const choosesEntry = rest.some((step) => typeof step === 'string' && step.includes('='));
    return { property, path: attribute, read, holder: holderOf(above), rest, choosesEntry };
  });
  prepared.set(mappings, { places, holders });
  return { places, holders };
}

/** The value of each holder. */
function valuesAt(holders: readonly Holder[], attributes: unknown): readonly unknown[] {
  const values: unknown[] = [];
  for (const { parent, steps } of holders)
    values.push(parent === -1 ? attributes : valueAtPath(values[parent], steps));
  return values;
}

function isEmptyValue(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isPartlyUnknown(shape: unknown): boolean {
  if (shape === null || typeof shape !== 'object') return shape === true;
  return Array.isArray(shape)
    ? shape.some(isPartlyUnknown)
    : Object.values(shape).some(isPartlyUnknown);
}

/** A value with placeholders for parts that are known only after apply, which a plan omits. */
function withPlaceholders(value: unknown, shape: unknown): unknown {
  if (shape === true) return unknownPlaceholder;
  if (!isPartlyUnknown(shape)) return value;
  const inside = (value !== null && typeof value === 'object' ? value : {}) as Readonly<
    Record<string, unknown>
  >;
  if (Array.isArray(shape))
    return shape.map((each, index) => withPlaceholders(inside[index], each));
  const below = Object.entries(shape as object).map(
    ([key, each]) => [key, withPlaceholders(inside[key], each)] as const,
  );
  return { ...inside, ...Object.fromEntries(below.filter(([, each]) => each !== undefined)) };
}

/** The paths of placeholders in a converted value. */
function placeholderPaths(value: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (typeof value === 'string') return value.includes(unknownPlaceholder) ? [path] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) =>
    placeholderPaths(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Whether a value, or one in a list entry, is known only later. */
function isUnknown(shape: unknown, path: ConfigPath): boolean {
  let current = shape;
  for (let index = 0; index < path.length; index += 1) {
    const step = path[index] as string | number;
    if (current === true) return true;
    if (current === null || typeof current !== 'object') return false;
    if (step === '*')
      return (
        Array.isArray(current) && current.some((each) => isUnknown(each, path.slice(index + 1)))
      );
    current =
      typeof step === 'number' && !Array.isArray(current)
        ? current
        : (current as Record<string | number, unknown>)[step];
  }
  return current === true || (Array.isArray(current) && current.includes(true));
}

function setAt(target: Record<string, unknown>, path: ConfigPath, value: unknown): void {
  if (path.length === 1) {
    target[path[0] as string] = value;
    return;
  }
  let current = target;
  for (const step of path.slice(0, -1)) {
    const next = current[step];
    current =
      next !== null && typeof next === 'object'
        ? (next as Record<string, unknown>)
        : (current[step] = {} as Record<string, unknown>);
  }
  current[String(path.at(-1))] = value;
}

/**
 * Whether an existing resource has an attribute: providers fill in empty texts and lists, and
 * members found by a rule were not declared.
 */
function isDeclaredAttribute(attributes: Readonly<Record<string, unknown>>, name: string): boolean {
  return (
    isFilled(attributes[name]) &&
    !(name === 'members' && isFilled(attributes['dynamic_membership']))
  );
}

function isFilled(value: unknown): boolean {
  return (
    value !== undefined &&
    value !== null &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0)
  );
}
