import type { ErrorObject } from 'ajv';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { SchemaName } from '../../kinds/stack/schema-compiler.js';
import { metadataOf } from '../../kinds/schema/property-metadata.js';
import { customMistake, nearestNumber, describeNumbers } from '../../kinds/schema/find-mistake.js';
import { type Section, sections } from '../../kinds/stack/schema.js';
import { validatorOf } from '../../kinds/stack/validators.js';
import {
  placesWhere,
  placeTree,
  type PlaceTree,
  type SchemaNode,
  visitPlaces,
} from './schema-paths.js';

/** A mistake found by the schema. */
export interface SchemaMistake {
  /** The violated keyword of JSON Schema; `allowedNumbers` or `validate` of a description. */
  readonly keyword: string;
  /** The path of the wrong value; for a missing or an unknown property, that property. */
  readonly path: ConfigPath;
  /** Those of ajv's error, such as `limit`; for `allowedNumbers` and `validate`, their message. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The mistakes that the schema finds in a value, without duplicates. */
export function schemaMistakes(name: SchemaName, value: unknown): readonly SchemaMistake[] {
  const validator = validatorOf(name);
  const custom = customMistakes(name, value);
  if (validator(value)) return custom;
  // an error of `if` only repeats those of `then` or `else`
  const errors = (validator.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  const mistakes = errors.map((error) => mistakeOf(error, value));
  // a plan's placeholder of an unknown value has a wrong type; that is no mistake
  if (custom.length === 0 && mistakes.every(({ keyword }) => keyword === 'type')) return mistakes;
  const placesOfWrongType = new Set(
    mistakes.filter(({ keyword }) => keyword === 'type').map(({ path }) => JSON.stringify(path)),
  );
  const emptyPlaces = new Set(
    mistakes
      .filter(({ keyword }) => keyword === 'minLength')
      .map(({ path }) => JSON.stringify(path)),
  );
  const independentMistakes = mistakes.filter(({ keyword, path }) => {
    const place = JSON.stringify(path);
    return (
      keyword === 'type' ||
      (!placesOfWrongType.has(place) && !(keyword === 'pattern' && emptyPlaces.has(place)))
    );
  });
  const paths = new Set(independentMistakes.map(({ path }) => JSON.stringify(path)));
  return [...independentMistakes, ...custom.filter(({ path }) => !paths.has(JSON.stringify(path)))];
}

const customTrees = new Map<SchemaName, PlaceTree>();

/** Checks requirements of descriptions for which JSON Schema has no keyword. */
function customMistakes(name: SchemaName, value: unknown): readonly SchemaMistake[] {
  if (!Object.hasOwn(sections, name)) return [];
  const schema = sections[name as Section] as unknown as SchemaNode;
  const tree = customTrees.get(name) ?? placeTree(placesWhere(schema, hasCustomRequirement));
  customTrees.set(name, tree);
  const mistakes: SchemaMistake[] = [];
  visitPlaces(value, tree, (value, path, node) => {
    const mistake = customMistake(node, value);
    if (mistake === undefined) return;
    const { allowedNumbers } = metadataOf(node);
    const nearest =
      allowedNumbers === undefined || typeof value !== 'number'
        ? {}
        : {
            allowed: describeNumbers(allowedNumbers),
            nearest: nearestNumber(allowedNumbers, value),
          };
    mistakes.push({
      keyword: mistake.keyword,
      path: [...path],
      parameters: { ...mistake, ...nearest },
    });
  });
  return mistakes;
}

function hasCustomRequirement(node: SchemaNode): boolean {
  const { allowedNumbers, validate } = metadataOf(node);
  return allowedNumbers !== undefined || validate !== undefined;
}

function mistakeOf({ keyword, instancePath, params }: ErrorObject, value: unknown): SchemaMistake {
  const path = pathOf(instancePath, value);
  const parameters = params as Record<string, unknown>;
  const property = parameters['missingProperty'] ?? parameters['additionalProperty'];
  return { keyword, path: typeof property === 'string' ? [...path, property] : path, parameters };
}

/** Cached keys of pointers: the same values are unknown in every resource of a plan. */
const keysOfPointers = new Map<string, readonly string[]>();

function keysOf(pointer: string): readonly string[] {
  const cachedKeys = keysOfPointers.get(pointer);
  if (cachedKeys !== undefined) return cachedKeys;
  const [, ...parts] = pointer.split('/');
  const keys = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keysOfPointers.size < 10_000) keysOfPointers.set(pointer, keys);
  return keys;
}

/** The path of a JSON pointer, with numbers as list indexes. */
function pathOf(pointer: string, value: unknown): ConfigPath {
  const path: (string | number)[] = [];
  let current = value;
  for (const key of keysOf(pointer)) {
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
