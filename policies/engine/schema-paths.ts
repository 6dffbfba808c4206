import type { ConfigPath } from '../../core/yaml/layers.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { ReferenceKind } from '../../kinds/schema/schema-builders.js';

/** A JSON Schema, as far as our schemas use it. */
export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly 'x-secret'?: boolean;
  readonly 'x-references'?: readonly ReferenceKind[];
  readonly 'x-by-name'?: boolean;
}

/** The schema of the value at a path. */
export function schemaAt(schema: SchemaNode | undefined, path: ConfigPath): SchemaNode | undefined {
  let node = schema;
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === 'number') node = node.items;
    else node = node.properties?.[step] ?? patternPropertySchema(node, step);
  }
  return node;
}

function patternPropertySchema(node: SchemaNode, key: string): SchemaNode | undefined {
  return Object.entries(node.patternProperties ?? {}).find(([pattern]) =>
    new RegExp(pattern, 'u').test(key),
  )?.[1];
}

/** A place in the values of a schema; `*` means any key or index. */
export interface PlacePattern {
  readonly steps: readonly string[];
  readonly schema: SchemaNode;
}

/** All places of a schema that satisfy a condition. */
export function placesWhere(
  schema: SchemaNode,
  matches: (schema: SchemaNode) => boolean,
  steps: readonly string[] = [],
): readonly PlacePattern[] {
  const ownPlaces = matches(schema) ? [{ steps, schema }] : [];
  const placesBelow = [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, child]) =>
      placesWhere(child, matches, [...steps, key]),
    ),
    ...Object.values(schema.patternProperties ?? {}).flatMap((child) =>
      placesWhere(child, matches, [...steps, '*']),
    ),
    ...(schema.items === undefined ? [] : placesWhere(schema.items, matches, [...steps, '*'])),
  ];
  return [...ownPlaces, ...placesBelow];
}

/** Places that are visited together: those that end at this step, and those below each key. */
export interface PlaceTree {
  /** The schema of a place that ends here. @default none ends here */
  readonly schema?: SchemaNode;
  /** The places below each named key. */
  readonly keys: readonly (readonly [string, PlaceTree])[];
  /** The places below every key or index. */
  readonly each?: PlaceTree;
}

/** A tree of places, so that each part of a value is visited once for all of them. */
export function placeTree(patterns: readonly PlacePattern[]): PlaceTree {
  const schema = patterns.find(({ steps }) => steps.length === 0)?.schema;
  const byKey = new Map<string, PlacePattern[]>();
  for (const { steps, schema: own } of patterns) {
    const [first, ...rest] = steps;
    if (first !== undefined)
      byKey.set(first, [...(byKey.get(first) ?? []), { steps: rest, schema: own }]);
  }
  const patternsOfEach = byKey.get('*');
  byKey.delete('*');
  return {
    ...omitUndefined({ schema }),
    keys: [...byKey].map(([key, below]) => [key, placeTree(below)] as const),
    ...(patternsOfEach !== undefined && { each: placeTree(patternsOfEach) }),
  };
}

/**
 * Calls back for every value at a place, with the place's schema.
 *
 * @param visit must copy the path to keep it
 */
export function visitPlaces(
  value: unknown,
  tree: PlaceTree,
  visit: (value: unknown, path: ConfigPath, schema: SchemaNode) => void,
  path: (string | number)[] = [],
): void {
  if (tree.schema !== undefined) visit(value, path, tree.schema);
  if (value === null || typeof value !== 'object') return;
  for (const [key, below] of tree.keys) {
    const next = (value as Readonly<Record<string, unknown>>)[key];
    if (next !== undefined) visitChild(next, below, key, visit, path);
  }
  if (tree.each === undefined) return;
  if (Array.isArray(value))
    for (let index = 0; index < value.length; index++)
      visitChild(value[index], tree.each, index, visit, path);
  else
    for (const [key, next] of Object.entries(value)) visitChild(next, tree.each, key, visit, path);
}

function visitChild(
  value: unknown,
  tree: PlaceTree,
  key: string | number,
  visit: (value: unknown, path: ConfigPath, schema: SchemaNode) => void,
  path: (string | number)[],
): void {
  path.push(key);
  visitPlaces(value, tree, visit, path);
  path.pop();
}
