import { authConfigsBodySchema } from '../../../kinds/auth/auth-configs.js';
import { nearest } from '../../../core/text/nearest.js';
import { BigNumber, Dynamic, isList, isMap, isUnknown, type Value } from '../../values/value.js';

/** The keywords of JSON Schema that the bodies' schemas use. */
interface BodySchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly additionalProperties?: boolean | BodySchema;
  readonly items?: BodySchema;
  readonly required?: readonly string[];
}

/** Versions of the sign-in layer's settings that have this body. */
export const authConfigsVersions = [
  '2022-01-01-preview',
  '2022-03-01',
  '2022-10-01',
  '2023-05-01',
  '2024-03-01',
  '2024-10-02-preview',
  '2025-01-01',
  '2025-02-02-preview',
  '2025-07-01',
  '2025-10-02-preview',
  '2026-01-01',
] as const;

const readOnlyProperties = new Set(['id', 'type', 'systemData']);

/**
 * Finds all mistakes in a body of `Microsoft.App/containerApps/authConfigs`, in the official
 * provider's words. Unlike that one, also checks booleans. Unknown values pass until they are
 * known; null passes anywhere.
 */
export function checkAuthConfigsBody(body: Value): string[] {
  return [...checkValue(body, authConfigsBodySchema as BodySchema, '')];
}

function* checkValue(input: Value, schema: BodySchema, path: string): Generator<string> {
  const value = input instanceof Dynamic ? input.value : input;
  if (value === null || isUnknown(value)) return;
  if (schema.const !== undefined) {
    if (value !== schema.const)
      yield `\`${path}\` is invalid, expect \`${schema.const}\` but got \`${describe(value)}\``;
    return;
  }
  if (schema.type === 'object') yield* checkObject(value, schema, path);
  else if (schema.type === 'array') yield* checkArray(value, schema, path);
  else yield* checkScalar(value, schema, path);
}

function* checkObject(value: Value, schema: BodySchema, path: string): Generator<string> {
  if (!isMap(value)) {
    yield wrongType(path, 'object', value);
    return;
  }
  const properties = schema.properties ?? {};
  for (const [name, each] of Object.entries(value)) {
    const propertyPath = path === '' ? name : `${path}.${name}`;
    const propertySchema = properties[name];
    if (propertySchema !== undefined) yield* checkValue(each, propertySchema, propertyPath);
    else if (typeof schema.additionalProperties === 'object')
      yield* checkValue(each, schema.additionalProperties, propertyPath);
    else if (path === '' && readOnlyProperties.has(name))
      yield `\`${propertyPath}\` is not expected here, it's read only`;
    else if (path === '' && name === 'name')
      continue; // the official provider allows the name in a body
    else
      yield `\`${propertyPath}\` is not expected here.${suggestion(name, Object.keys(properties), path)}`;
  }
  for (const name of schema.required ?? [])
    if (!(name in value)) yield `\`${path}.${name}\` is required, but no definition was found`;
}

function* checkArray(value: Value, schema: BodySchema, path: string): Generator<string> {
  if (!isList(value)) yield wrongType(path, 'array', value);
  else
    for (const [index, each] of value.entries())
      yield* checkValue(each, schema.items ?? {}, `${path}.${index}`);
}

function* checkScalar(value: Value, schema: BodySchema, path: string): Generator<string> {
  if (schema.type === 'string' && typeof value !== 'string') yield wrongType(path, 'string', value);
  else if (schema.type === 'boolean' && typeof value !== 'boolean')
    yield wrongType(path, 'bool', value);
  else if (schema.type === 'integer' && !isInteger(value)) yield wrongType(path, 'integer', value);
  else if (schema.enum !== undefined && !schema.enum.includes(String(value)))
    yield `\`${path}\`'s value \`${String(value)}\` is invalid. The supported values are [${schema.enum.join(', ')}]. Do you mean \`${closest(String(value), schema.enum)}\`? `.trimEnd();
}

function isInteger(value: Value): boolean {
  return (typeof value === 'number' && Number.isInteger(value)) || value instanceof BigNumber;
}

function wrongType(path: string, expected: string, value: Value): string {
  return `\`${path}\` is invalid, expect \`${expected}\` but got \`${describe(value)}\``;
}

/**
 * A value by its type; texts are quoted only if they are words of the schema, since a body may
 * contain secrets.
 */
function describe(value: Value): string {
  if (isList(value)) return 'list';
  if (isMap(value)) return 'object';
  if (value instanceof BigNumber) return 'number';
  return typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : typeof value;
}

function suggestion(name: string, propertyNames: readonly string[], path: string): string {
  const word = closest(name, propertyNames);
  return word === undefined ? '' : ` Do you mean \`${path === '' ? word : `${path}.${word}`}\`?`;
}

/** The closest word; the official provider always suggests one, even a distant one. */
function closest(text: string, words: readonly string[]): string | undefined {
  return nearest(text, words) ?? words[0];
}
