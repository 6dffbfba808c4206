import { load } from 'js-yaml';
import { authConfigsEnvelope, sidecarAuthSchema } from '../../../kinds/auth/auth-configs.js';
import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { SourceText } from '../../../core/source/source-text.js';
import type { JsonObject } from './settings.js';
import type { ConfigProblem } from './problems.js';
import { findRepeatedKey } from './repeated-key.js';
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
  const statedOffset = /position (\d+)/.exec(message)?.[1];
  const offset = statedOffset === undefined ? jsonErrorOffset(text) : Number(statedOffset);
  return new SourceText(file, text).location(offset);
}

/**
 * The offset of a JSON syntax error. Node reports no offset for an unexpected token, so this bisects
 * for the shortest beginning of the text that contains one: it ends with the token.
 */
function jsonErrorOffset(text: string): number {
  let [validLength, invalidLength] = [0, text.length + 1];
  while (invalidLength - validLength > 1) {
    const middle = Math.floor((validLength + invalidLength) / 2);
    if (hasUnexpectedToken(text.slice(0, middle))) invalidLength = middle;
    else validLength = middle;
  }
  return invalidLength - 1;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith('Unexpected token');
  }
}

/** Parses a configuration file without validating it by the schema. */
export function parseConfig(
  file: string,
  source: string,
): { readonly body?: JsonObject; readonly problems: readonly ConfigProblem[] } {
  let parsed: unknown;
  try {
    parsed = /\.ya?ml$/i.test(file) ? load(source) : JSON.parse(source);
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
  const repeated = /\.ya?ml$/i.test(file) ? undefined : findRepeatedKey(source);
  if (repeated) {
    const { path, offset } = repeated;
    const property = path.slice(path[0] === 'properties' && path.length > 1 ? 1 : 0).join('.');
    const location = new SourceText(file, source).location(offset);
    return { problems: [{ property, message: 'is given twice: keep one of them', location }] };
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
