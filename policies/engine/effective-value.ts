import {
  referencedVariableNames,
  resolveReferences,
} from '../../core/yaml/environment-reference.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { schemaAt, type SchemaNode } from './schema-paths.js';

/** A value as rules see it: resolved as far as possible, with the paths of the rest. */
export interface EffectiveValue {
  readonly value: unknown;
  /** Relative to the value: what is known only later, or refers to unset variables. */
  readonly unknownPaths: readonly ConfigPath[];
  /** The secrets whose variable is not set; rules see them as they are written. */
  readonly unsetSecrets: readonly ConfigPath[];
}

/** How to recognize unknown values, and the known environment. */
export interface ResolveOptions {
  /** The environment variables for `${env:NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a value is known only after apply, such as a token of the synthesis. */
  readonly isUnknown?: (value: unknown) => boolean;
  /** Resolves an unknown value from another input. */
  readonly resolveUnknown?: ((path: ConfigPath) => unknown) | undefined;
}

/**
 * Resolves `${env:NAME}` unless it is a secret or unset, as text, or as the number or boolean that
 * the schema expects. Copies the value only where it changes.
 */
export function effectiveValue(
  value: unknown,
  schema: SchemaNode | undefined,
  options: ResolveOptions,
): EffectiveValue {
  const unknownPaths: ConfigPath[] = [];
  const unsetSecrets: ConfigPath[] = [];
  const visit = (current: unknown, path: ConfigPath): unknown => {
    if (options.isUnknown?.(current) === true) {
      unknownPaths.push(path);
      return current;
    }
    if (typeof current === 'string')
      return current.includes('${') ? resolveText(current, path) : current;
    if (current === null || typeof current !== 'object') return current;
    if (Array.isArray(current))
      return mapChanged(current, (item: unknown, index) => visit(item, [...path, index]));
    let copy: Record<string, unknown> | undefined;
    for (const [key, item] of Object.entries(current)) {
      if (
        options.isUnknown === undefined &&
        (typeof item === 'string' ? !item.includes('${') : typeof item !== 'object')
      )
        continue;
      const next = visit(item, [...path, key]);
      if (next === item) continue;
      copy ??= { ...current };
      copy[key] = next;
    }
    return copy ?? current;
  };
  // Terraform reads a variable `NAME` from the environment variable TF_VAR_NAME
  const isSet = (name: string): boolean =>
    (options.env[name] ?? options.env[`TF_VAR_${name}`]) !== undefined;
  const resolveText = (text: string, path: ConfigPath): unknown => {
    if (referencedVariableNames(text).length === 0) return text.replaceAll('$${', '${');
    const node = schemaAt(schema, path);
    if (node?.['x-secret'] === true) {
      if (!referencedVariableNames(text).every(isSet)) unsetSecrets.push(path);
      return text;
    }
    const result = resolveReferences(text, options.env);
    if (result.missing.length === 0) return convertToSchemaType(result.text, node);
    const resolved = options.resolveUnknown?.(path);
    if (resolved !== undefined) return resolved;
    unknownPaths.push(path);
    return text;
  };
  return { value: visit(value, []), unknownPaths, unsetSecrets };
}

function mapChanged(
  list: readonly unknown[],
  map: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  const next = list.map(map);
  return next.some((item, index) => item !== list[index]) ? next : list;
}

function convertToSchemaType(text: string, schema: SchemaNode | undefined): unknown {
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (
    (schema?.type === 'number' || schema?.type === 'integer') &&
    text.trim() !== '' &&
    Number.isFinite(Number(text))
  )
    return Number(text);
  return text;
}
