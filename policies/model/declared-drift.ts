import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../core/values/is-object.js';
import type { ConfigPath } from '../../core/yaml/layers.js';

/** A property whose live value is not the declared one. */
export interface Drift {
  /** Relative to the compared object. */
  readonly path: ConfigPath;
  /** The declared value as text for a message, `not set` for none. */
  readonly declared: string;
  /** The live value as text for a message, `not set` for none. */
  readonly actual: string;
}

/** The schema of an object or a value, as far as a comparison needs it. */
export interface ComparedSchema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ComparedSchema>>;
  readonly patternProperties?: object;
  readonly items?: object;
  readonly 'x-secret'?: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The properties of a live object that differ from its declaration. Left-out values are defaults.
 * Secrets are not compared, and of references only how many there are: the service has ids for
 * them.
 *
 * @param isCompared whether to compare a property.
 */
export function declaredDrift(
  { properties = {} }: ComparedSchema,
  declared: Values,
  actual: Values,
  isCompared: (path: ConfigPath, declared: unknown) => boolean,
  parentPath: ConfigPath = [],
): readonly Drift[] {
  return Object.entries(properties).flatMap(([name, schema]): readonly Drift[] => {
    const path = [...parentPath, name];
    const [declaredValue, actualValue] = [declared[name], actual[name]];
    if (schema['x-secret'] === true || !isCompared(path, declaredValue)) return [];
    if (schema.properties === undefined) {
      const [declaredComparable, actualComparable] = [declaredValue, actualValue].map((value) =>
        comparable(value, schema),
      );
      return isDeepStrictEqual(declaredComparable, actualComparable)
        ? []
        : [
            {
              path,
              declared: renderValue(declaredComparable),
              actual: renderValue(actualComparable),
            },
          ];
    }
    if (
      parentPath.at(-1) === 'providers' &&
      (declaredValue === undefined) !== (actualValue === undefined)
    )
      return [{ path, declared: presence(declaredValue), actual: presence(actualValue) }];
    return declaredDrift(schema, objectOf(declaredValue), objectOf(actualValue), isCompared, path);
  });
}

function comparable(value: unknown, schema: ComparedSchema): unknown {
  if (schema.patternProperties !== undefined) return Object.keys(objectOf(value)).sort();
  const valueOrDefault = value ?? schema.default ?? (schema.items === undefined ? undefined : []);
  if (!Array.isArray(valueOrDefault)) return valueOrDefault;
  if (!('x-references' in (schema.items ?? {}))) return [...valueOrDefault].sort();
  return valueOrDefault.length === 1 ? '1 entry' : `${String(valueOrDefault.length)} entries`;
}

function objectOf(value: unknown): Values {
  return isObject(value) ? value : {};
}

function presence(value: unknown): string {
  return value === undefined ? 'absent' : 'present';
}

function renderValue(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'not set';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
