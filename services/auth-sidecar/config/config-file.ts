import { load, YAMLException } from 'js-yaml';
import { authConfigsEnvelope, sidecarAuthSchema } from '../../../kinds/auth/auth-configs.js';
import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { jsonMistakeOffset } from '../../../core/source/json-mistake.js';
import { SourceText } from '../../../core/source/source-text.js';
import type { JsonObject } from './settings.js';
import type { ConfigProblem } from './problems.js';
import { checkSchema, unknownKey } from './schema-check.js';

/**
 * Parses a configuration file and validates it by the schema. The file holds the `properties`
 * object or the whole `authConfigs` resource, as JSON or YAML by its extension. Properties that are
 * null count as absent, because the cloud's tools write removed settings as null.
 */
export function parseAndValidateConfig(
  file: string,
  source: string,
): { readonly body?: JsonObject; readonly problems: readonly ConfigProblem[] } {
  const { body, problems } = parseConfig(file, source);
  return body === undefined
    ? { problems }
    : { body, problems: [...problems, ...checkSchema(sidecarAuthSchema, body)] };
}

/** The location of a syntax error, as far as the parser reports it. */
function syntaxErrorLocation(
  file: string,
  text: string,
  error: unknown,
): ConfigProblem['location'] {
  const { mark, message } = error as {
    readonly mark?: { readonly line: number; readonly column: number };
    readonly message: string;
  };
  if (mark !== undefined) return { file, line: mark.line + 1, column: mark.column + 1 };
  if (!(error instanceof SyntaxError)) return undefined; // a YAML error without a position
  return new SourceText(file, text).location(jsonMistakeOffset(text, message));
}

/**
 * Parses JSON. `JSON.parse` takes the last of two equal keys without a word; read as YAML, the text
 * is refused.
 */
function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  try {
    load(text);
  } catch (error) {
    // what else YAML refuses, such as some characters, JSON allows
    if (error instanceof YAMLException && error.reason === 'duplicated mapping key') throw error;
  }
  return parsed;
}

/** Parses a configuration file without validating it by the schema. */
export function parseConfig(
  file: string,
  source: string,
): { readonly body?: JsonObject; readonly problems: readonly ConfigProblem[] } {
  let parsed: unknown;
  try {
    parsed = /\.ya?ml$/i.test(file) ? load(source) : parseJson(source);
  } catch (error) {
    return {
      problems: [
        {
          property: file,
          message: `can't be parsed: ${(error as Error).message.split('\n')[0] ?? ''}`,
          ...omitUndefined({ location: syntaxErrorLocation(file, source, error) }),
        },
      ],
    };
  }
  const content = withoutNulls(parsed);
  if (!isObject(content))
    return {
      problems: [
        { property: file, message: 'is not an object with the properties of authConfigs' },
      ],
    };
  const isWholeResource = 'properties' in content;
  const unknownKeys = isWholeResource
    ? Object.keys(content).filter(
        (key) => !(authConfigsEnvelope as readonly string[]).includes(key),
      )
    : [];
  const body = isWholeResource ? content['properties'] : withoutEnvelope(content);
  if (!isObject(body))
    return { problems: [{ property: 'properties', message: 'must be an object' }] };
  return { body, problems: unknownKeys.map((key) => unknownKey(key, key, authConfigsEnvelope)) };
}

/** A file without `properties` may have the resource's own keys beside the settings, as exports do. */
function withoutEnvelope(document: JsonObject): JsonObject {
  const entries = Object.entries(document).filter(
    ([key, value]) =>
      typeof value !== 'string' || !['id', 'name', 'type', 'kind', 'location'].includes(key),
  );
  return Object.fromEntries(entries);
}

function withoutNulls(value: unknown): unknown {
  // An entry that is null stays, and is refused: a list of who is let in, without it empty, lets in all.
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}
