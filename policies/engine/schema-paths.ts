import type { ConfigPath } from '../../core/yaml/layers.js';
import type { ReferenceKind } from '../schemas/shapes.js';

/** A JSON Schema, as our schemas use it. */
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
}

/** The schema of what stands at a path. */
export function schemaAt(schema: SchemaNode | undefined, path: ConfigPath): SchemaNode | undefined {
  let node = schema;
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === 'number') node = node.items;
    else node = node.properties?.[step] ?? patternFor(node, step);
  }
  return node;
}

function patternFor(node: SchemaNode, key: string): SchemaNode | undefined {
  return Object.entries(node.patternProperties ?? {}).find(([pattern]) => new RegExp(pattern, 'u').test(key))?.[1];
}

/** A place in every value of a schema; `*` stands for each key or index. */
export interface PlacePattern {
  readonly steps: readonly string[];
  readonly schema: SchemaNode;
}

/** Every place of a schema that satisfies a condition. */
export function placesWhere(
  schema: SchemaNode,
  wanted: (schema: SchemaNode) => boolean,
  steps: readonly string[] = [],
): readonly PlacePattern[] {
  const own = wanted(schema) ? [{ steps, schema }] : [];
  const below = [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, child]) => placesWhere(child, wanted, [...steps, key])),
    ...Object.values(schema.patternProperties ?? {}).flatMap((child) => placesWhere(child, wanted, [...steps, '*'])),
    ...(schema.items === undefined ? [] : placesWhere(schema.items, wanted, [...steps, '*'])),
  ];
  return [...own, ...below];
}

/** Calls back for every value at a place. */
export function visitPlace(
  value: unknown,
  steps: readonly string[],
  visit: (value: unknown, path: ConfigPath) => void,
  path: ConfigPath = [],
): void {
  const step = steps[path.length];
  if (step === undefined) {
    visit(value, path);
    return;
  }
  if (value === null || typeof value !== 'object') return;
  if (step === '*') {
    if (Array.isArray(value)) value.forEach((item, index) => visitPlace(item, steps, visit, [...path, index]));
    else for (const [key, item] of Object.entries(value)) visitPlace(item, steps, visit, [...path, key]);
    return;
  }
  const next = (value as Record<string, unknown>)[step];
  if (next !== undefined) visitPlace(next, steps, visit, [...path, step]);
}
