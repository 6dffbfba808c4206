import type { ErrorObject } from 'ajv';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { ValidatorName } from '../../kinds/stack/compiler.js';
import { validatorOf } from '../../kinds/stack/validators.js';

/** A mistake that the schema finds. */
export interface SchemaMistake {
  readonly keyword: string;
  /** The value that is wrong; for a missing or an unknown property, that property. */
  readonly path: ConfigPath;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What the schema says against a value, nothing twice. */
export function schemaMistakes(name: ValidatorName, value: unknown): readonly SchemaMistake[] {
  const validator = validatorOf(name);
  if (validator(value)) return [];
  // `if` only repeats what `then` or `else` says.
  const errors = (validator.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  const mistakes = errors.map((error) => mistakeOf(error, value));
  const wrongType = new Set(mistakes.filter(({ keyword }) => keyword === 'type').map(({ path }) => JSON.stringify(path)));
  const empty = new Set(mistakes.filter(({ keyword }) => keyword === 'minLength').map(({ path }) => JSON.stringify(path)));
  return mistakes.filter(({ keyword, path }) => {
    const place = JSON.stringify(path);
    return keyword === 'type' || (!wrongType.has(place) && !(keyword === 'pattern' && empty.has(place)));
  });
}

function mistakeOf({ keyword, instancePath, params }: ErrorObject, value: unknown): SchemaMistake {
  const path = pathOf(instancePath, value);
  const parameters = params as Record<string, unknown>;
  const property = parameters['missingProperty'] ?? parameters['additionalProperty'];
  return { keyword, path: typeof property === 'string' ? [...path, property] : path, parameters };
}

/** The path of a JSON pointer, with numbers for the indexes of lists. */
function pathOf(pointer: string, value: unknown): ConfigPath {
  const path: (string | number)[] = [];
  let current = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(current) ? Number(key) : key;
    path.push(step);
    current = (current as Record<string | number, unknown> | null | undefined)?.[step];
  }
  return path;
}

/** The value at a path. */
export function valueAt(value: unknown, path: ConfigPath): unknown {
  let current = value;
  for (const step of path) {
    if (current === null || typeof current !== 'object') return undefined;
    current = (current as Record<string | number, unknown>)[step];
  }
  return current;
}
