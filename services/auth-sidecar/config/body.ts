import Ajv2020 from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv';
import { load } from 'js-yaml';
import { nearest } from '../../../core/text/nearest.js';
import { authConfigsEnvelope, sidecarAuthSchema } from '../../../policies/schemas/auth-configs.js';
import type { ConfigProblem } from './problems.js';

/** A plain object of parsed JSON or YAML. */
export type Plain = { readonly [key: string]: unknown };

/** Whether a value is an object that isn't an array. */
export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

let validate: ReturnType<Ajv2020['compile']> | undefined;

/**
 * Reads the text of a configuration file: the `properties` object or the whole resource, JSON or YAML by extension, nulls taken as absent
 * (the cloud's tools write removed settings as null).
 */
export function parseBody(file: string, source: string): { readonly body?: Plain; readonly problems: readonly ConfigProblem[] } {
  let parsed: unknown;
  try {
    parsed = /\.ya?ml$/i.test(file) ? load(source) : JSON.parse(source);
  } catch (error) {
    return { problems: [{ property: file, message: `can't be parsed: ${(error as Error).message.split('\n')[0] ?? ''}` }] };
  }
  const given = withoutNulls(parsed);
  if (!isPlain(given)) return { problems: [{ property: file, message: 'is not an object with the properties of authConfigs' }] };
  const whole = 'properties' in given;
  const strays = whole ? Object.keys(given).filter((key) => !(authConfigsEnvelope as readonly string[]).includes(key)) : [];
  const body = whole ? given['properties'] : withoutEnvelope(given);
  if (!isPlain(body)) return { problems: [{ property: 'properties', message: 'must be an object' }] };
  validate ??= new Ajv2020({ allErrors: true, strict: false }).compile(sidecarAuthSchema as object);
  validate(body);
  const problems = [
    ...strays.map((key) => unknownKey(key, authConfigsEnvelope)),
    ...(validate.errors ?? []).map((error) => problemOf(error)),
  ];
  return { body, problems };
}

/** A flat file may carry `kind` and the like as exports do. */
function withoutEnvelope(given: Plain): Plain {
  const entries = Object.entries(given).filter(
    ([key, value]) => typeof value !== 'string' || !['id', 'name', 'type', 'kind', 'location'].includes(key),
  );
  return Object.fromEntries(entries);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}

function problemOf(error: ErrorObject): ConfigProblem {
  const place = error.instancePath.split('/').slice(1).join('.').replace(/~1/g, '/');
  if (error.keyword === 'additionalProperties') {
    const key = String((error.params as { additionalProperty: string }).additionalProperty);
    const allowed = Object.keys(((error.parentSchema as { properties?: object } | undefined)?.properties ?? keysAt(place)) as object);
    return unknownKey(place === '' ? key : `${place}.${key}`, allowed);
  }
  if (error.keyword === 'enum') {
    const allowed = (error.params as { allowedValues: string[] }).allowedValues;
    return { property: place, message: `must be one of ${allowed.join(', ')}` };
  }
  if (error.keyword === 'const')
    return { property: place, message: `must be ${String((error.params as { allowedValue: unknown }).allowedValue)}` };
  return { property: place === '' ? 'properties' : place, message: error.message ?? 'is not valid' };
}

function unknownKey(path: string, allowed: readonly string[]): ConfigProblem {
  const key = path.slice(path.lastIndexOf('.') + 1);
  const suggestion = nearest(key, allowed);
  return { property: path, message: `is not a known property${suggestion === undefined ? '' : `, did you mean "${suggestion}"?`}` };
}

/** The properties that the schema allows at a place, for the suggestion. */
function keysAt(place: string): object {
  let schema = sidecarAuthSchema as { properties?: Record<string, unknown>; additionalProperties?: unknown };
  for (const part of place.split('.').filter(Boolean))
    schema = (schema.properties?.[part] ?? schema.additionalProperties ?? {}) as typeof schema;
  return schema.properties ?? {};
}
