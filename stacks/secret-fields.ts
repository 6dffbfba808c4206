import type { SchemaNode } from '../policies/engine/schema-paths.js';
import { stackSchema } from '../kinds/index.js';
import type { StackConfig } from '../kinds/index.js';
import { schemaAt } from '../policies/engine/schema-paths.js';

/**
 * Every reference to a secret that a configuration holds, as it is written. The schema says which fields hold one, so that a field that
 * is added there is never forgotten here.
 */
export function secretReferences(config: StackConfig): string[] {
  return collect(config, []);
}

function collect(value: unknown, path: readonly (string | number)[]): string[] {
  if (typeof value === 'string') return schemaAt(stackSchema as unknown as SchemaNode, path)?.['x-secret'] === true ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => collect(each as unknown, [...path, Array.isArray(value) ? Number(key) : key]));
}
