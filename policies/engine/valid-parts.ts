import type { ConfigPath } from '../../core/yaml/layers.js';
import { unknownPlaceholder } from '../../kinds/schema/readers.js';
import { schemaAt, type SchemaNode } from './schema-paths.js';
import { valueAt } from './schema-validation.js';

/** A value without its wrong parts. */
export interface ValidParts {
  readonly value: unknown;
  /** The paths of the wrong parts, which rules must treat as unknown. */
  readonly removedPaths: readonly ConfigPath[];
}

/**
 * Takes values of a wrong type out of a declaration, so that rules can judge the rest of it.
 *
 * @param invalidPaths the paths of the values, relative to the declaration.
 */
export function withoutInvalidParts(
  source: unknown,
  invalidPaths: readonly ConfigPath[],
  schema: SchemaNode,
): ValidParts {
  const value: unknown = structuredClone(source);
  const removedPaths: ConfigPath[] = [];
  for (const path of invalidPaths) {
    const last = path.at(-1);
    const parent = valueAt(value, path.slice(0, -1)) as
      Record<string | number, unknown> | undefined | null;
    if (parent === undefined || parent === null || last === undefined) continue;
    // a list entry is replaced, not removed, so that later entries keep their indexes
    if (Array.isArray(parent))
      parent[last as number] = schemaAt(schema, path)?.type === 'object' ? {} : unknownPlaceholder;
    else parent[last] = undefined;
    removedPaths.push(path);
  }
  return { value, removedPaths };
}
