import type { ConfigPath } from '../../core/yaml/layers.js';
import { unknownPlaceholder } from '../../kinds/schema/readers.js';
import { schemaAt, type SchemaNode } from './schema-paths.js';
import { valueAt } from './schema-validation.js';

/** A value without its wrong parts. */
export interface ValidPart {
  readonly value: unknown;
  /** The wrong parts, which rules have to take as unknown. */
  readonly open: readonly ConfigPath[];
}

/**
 * Takes values of a wrong type out of a declaration, so that rules can judge the rest of it.
 *
 * @param wrong the paths of the values, relative to the declaration.
 */
export function withoutInvalidParts(
  source: unknown,
  wrong: readonly ConfigPath[],
  schema: SchemaNode,
): ValidPart {
  const value: unknown = structuredClone(source);
  const open: ConfigPath[] = [];
  for (const path of wrong) {
    const last = path.at(-1);
    const around = valueAt(value, path.slice(0, -1)) as
      Record<string | number, unknown> | undefined | null;
    if (around === undefined || around === null || last === undefined) continue;
    // an entry stays, so that those behind it keep their places
    if (Array.isArray(around))
      around[last as number] = schemaAt(schema, path)?.type === 'object' ? {} : unknownPlaceholder;
    else around[last] = undefined;
    open.push(path);
  }
  return { value, open };
}
