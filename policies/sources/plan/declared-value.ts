import type { ConfigPath } from '../../../core/yaml/layers.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Mapping } from '../../../kinds/schema/mapping.js';
import { unknownPlaceholder } from '../../../kinds/schema/readers.js';
import { valueAtPath, resolveSteps, stepsOf } from '../../../kinds/schema/path-steps.js';

/** A resource's attributes, and which of them are known only after apply. */
export interface Attributes {
  /** The values as a plan, or a state, has them. */
  readonly after: unknown;
  /** In the form of `after`, with `true` for an unknown value. */
  readonly afterUnknown: unknown;
  /** Whether the resource exists already: values that its provider filled in were not declared. */
  readonly exists: boolean;
}

/** The declaration in a resource, with the names of castellan.yaml. */
export interface DeclaredValue {
  readonly value: Record<string, unknown>;
  /** Relative to `value`, which has a placeholder there. */
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
  const unknownAttributes = (afterUnknown === true ? undefined : (afterUnknown ?? {})) as
    Readonly<Record<string, unknown>> | undefined;
  const prepared = prepareMappings(mappings);
  const blockValues = valuesOfBlocks(prepared.blocks, after);
  for (const { property, path, read, block, pathInBlock, selectsEntry } of prepared.mappings) {
    // most attributes are known, and most of them not set
    const topAttribute = path[0];
    const unknownParts =
      typeof topAttribute === 'string' ? unknownAttributes?.[topAttribute] : true;
    if (unknownAttributes !== undefined && (unknownParts === undefined || unknownParts === false)) {
      const blockValue = blockValues[block];
      if (
        isUnset(blockValue) ||
        (exists && !isDeclaredAttribute(attributes, topAttribute as string))
      )
        continue;
      const knownValue = valueAtPath(blockValue, pathInBlock);
      const converted = isUnset(knownValue) || read === undefined ? knownValue : read(knownValue);
      if (!isUnset(converted)) setAt(value, property, converted);
      continue;
    }
    const attribute = selectsEntry ? resolveSteps(path, after) : path;
    if (isUnknown(afterUnknown, attribute)) {
      unknownPaths.push(property);
      setAt(value, property, unknownPlaceholder);
      continue;
    }
    const first = attribute[0] as string;
    const hasUnknownParts = isPartlyUnknown(valueAtPath(afterUnknown, attribute));
    if (
      !hasUnknownParts &&
      (isUnset(attributes[first]) || (exists && !isDeclaredAttribute(attributes, first)))
    )
      continue;
    const knownValue = valueAtPath(after, attribute);
    const raw = hasUnknownParts
      ? withPlaceholders(knownValue, valueAtPath(afterUnknown, attribute))
      : knownValue;
    const converted = isUnset(raw) ? undefined : read === undefined ? raw : read(raw);
    if (isUnset(converted)) continue;
    setAt(value, property, converted);
    if (hasUnknownParts) unknownPaths.push(...placeholderPaths(converted, property));
  }
  return { value, unknownPaths };
}

/** Mappings whose attributes are found from the nested block that contains them. */
interface PreparedMappings {
  readonly mappings: readonly {
    /** The path of the property in the declaration. */
    readonly property: ConfigPath;
    /** The path of the attribute in the resource. */
    readonly path: ConfigPath;
    readonly read: Mapping['read'];
    /** The index of the block that contains the attribute. */
    readonly block: number;
    /** The path of the attribute from that block on. */
    readonly pathInBlock: ConfigPath;
    /** Whether a step selects a list entry by a member: `type=Liveness`. */
    readonly selectsEntry: boolean;
  }[];
  /**
   * The nested blocks that contain attributes, each after the one that contains it: `template.0`,
   * then `template.0.container.0`.
   */
  readonly blocks: readonly Block[];
}

interface Block {
  /** The index of the block around this one; -1 for the attributes themselves. */
  readonly parent: number;
  /** The path of this block from its parent on. */
  readonly steps: ConfigPath;
}

const preparedCache = new WeakMap<readonly Mapping[], PreparedMappings>();

/**
 * The mappings with the blocks that they share: most mappings of a container app are in three or
 * four blocks, each of which is then looked up once per resource.
 */
function prepareMappings(mappings: readonly Mapping[]): PreparedMappings {
  const cachedMappings = preparedCache.get(mappings);
  if (cachedMappings !== undefined) return cachedMappings;
  const blocks: Block[] = [{ parent: -1, steps: [] }];
  const indexes = new Map<string, number>([['', 0]]);
  const blockOf = (steps: ConfigPath): number => {
    const existingIndex = indexes.get(steps.join('.'));
    if (existingIndex !== undefined) return existingIndex;
    const nameIndex = steps.findLastIndex((step) => typeof step === 'string');
    blocks.push({ parent: blockOf(steps.slice(0, nameIndex)), steps: steps.slice(nameIndex) });
    indexes.set(steps.join('.'), blocks.length - 1);
    return blocks.length - 1;
  };
  const preparedMappings = mappings.map(({ property, attribute, read }) => {
    const selectorIndex = attribute.findIndex(
      (step) => typeof step === 'string' && (step === '*' || step.includes('=')),
    );
    const end = Math.max(0, selectorIndex === -1 ? attribute.length - 1 : selectorIndex);
    const blockSteps = attribute.slice(0, end);
    const pathInBlock = attribute.slice(end);
    const selectsEntry = pathInBlock.some((step) => typeof step === 'string' && step.includes('='));
    return {
      property,
      path: attribute,
      read,
      block: blockOf(blockSteps),
      pathInBlock,
      selectsEntry,
    };
  });
  preparedCache.set(mappings, { mappings: preparedMappings, blocks });
  return { mappings: preparedMappings, blocks };
}

/** The value of each block. */
function valuesOfBlocks(blocks: readonly Block[], attributes: unknown): readonly unknown[] {
  const values: unknown[] = [];
  for (const { parent, steps } of blocks)
    values.push(parent === -1 ? attributes : valueAtPath(values[parent], steps));
  return values;
}

function isUnset(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isPartlyUnknown(afterUnknown: unknown): boolean {
  if (afterUnknown === null || typeof afterUnknown !== 'object') return afterUnknown === true;
  return Array.isArray(afterUnknown)
    ? afterUnknown.some(isPartlyUnknown)
    : Object.values(afterUnknown).some(isPartlyUnknown);
}

/** A value with placeholders for parts that are known only after apply, which a plan omits. */
function withPlaceholders(value: unknown, afterUnknown: unknown): unknown {
  if (afterUnknown === true) return unknownPlaceholder;
  if (!isPartlyUnknown(afterUnknown)) return value;
  const members = (value !== null && typeof value === 'object' ? value : {}) as Readonly<
    Record<string, unknown>
  >;
  if (Array.isArray(afterUnknown))
    return afterUnknown.map((each, index) => withPlaceholders(members[index], each));
  const entries = Object.entries(afterUnknown as object).map(
    ([key, each]) => [key, withPlaceholders(members[key], each)] as const,
  );
  return { ...members, ...Object.fromEntries(entries.filter(([, each]) => each !== undefined)) };
}

/** The paths of placeholders in a converted value. */
function placeholderPaths(value: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (typeof value === 'string') return value.includes(unknownPlaceholder) ? [path] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) =>
    placeholderPaths(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Whether the value at a path, or that of a list entry on it, is known only after apply. */
function isUnknown(afterUnknown: unknown, path: ConfigPath): boolean {
  let current = afterUnknown;
  for (let index = 0; index < path.length; index += 1) {
    const step = path[index] as string | number;
    if (current === true) return true;
    if (current === null || typeof current !== 'object') return false;
    if (step === '*')
      return (
        Array.isArray(current) && current.some((each) => isUnknown(each, path.slice(index + 1)))
      );
    // as in `valueAtPath`: single nested attributes are no lists
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
 * Whether an attribute of an existing resource can come from its configuration: providers fill in
 * empty texts and lists, and members found by a rule were not declared.
 */
function isDeclaredAttribute(attributes: Readonly<Record<string, unknown>>, name: string): boolean {
  return (
    isNonEmpty(attributes[name]) &&
    !(name === 'members' && isNonEmpty(attributes['dynamic_membership']))
  );
}

function isNonEmpty(value: unknown): boolean {
  return (
    value !== undefined &&
    value !== null &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0)
  );
}
