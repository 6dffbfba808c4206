import type { EnvironmentVariables } from '../../../core/process/environment-variables.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import type { JsonSchema } from '../../../kinds/auth/auth-configs.js';
import { isObject } from '../../../core/values/is-object.js';
import type { JsonObject } from './settings.js';
import type { ConfigProblem } from './problems.js';

/** The prefix of variables that set a property. */
export const propertyPrefix = 'CASTELLAN_AUTH__';

/** A configuration with the settings of the environment. */
export interface EnvironmentBody {
  /** The configuration, overridden by the variables. */
  readonly body: JsonObject;
  /** Variables that name no property, or have a value that it can't have. */
  readonly problems: readonly ConfigProblem[];
  /** The variables by the dotted path of their property. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * The variables that set properties, as pairs of name and value; those of whole objects come first.
 * Empty ones count as unset.
 */
export function propertyVariables(env: EnvironmentVariables): (readonly [string, string])[] {
  const variables = Object.entries(env).filter(
    (each): each is [string, string] => each[0].startsWith(propertyPrefix) && !!each[1],
  );
  return variables.sort(
    ([a], [b]) => a.split('__').length - b.split('__').length || (a < b ? -1 : 1),
  );
}

/**
 * Applies the environment to a configuration:
 * `CASTELLAN_AUTH__globalValidation__unauthenticatedClientAction=Return401`, with two underscores
 * between the parts of a path, in any letter case except in the names of custom providers. A list
 * is comma-separated or JSON, an object JSON.
 */
export function withEnvironment(
  body: JsonObject,
  env: EnvironmentVariables,
  schema: JsonSchema,
): EnvironmentBody {
  let result = body;
  const problems: ConfigProblem[] = [];
  const variables = new Map<string, string>();
  for (const [variable, text] of propertyVariables(env)) {
    try {
      const property = resolveProperty(variable.slice(propertyPrefix.length).split('__'), schema);
      const { path } = property;
      result = withValue(result, path, parseValue(text, property.schema));
      variables.set(path.join('.'), variable);
    } catch (error) {
      if (!(error instanceof VariableError)) throw error;
      problems.push({ property: variable, message: error.message });
    }
  }
  return { body: result, problems, variables };
}

/** A variable that names no property or has an impossible value. */
class VariableError extends Error {}

/**
 * The path of the property that a variable names, in the spelling of the schema, and its schema.
 *
 * @throws VariableError
 */
function resolveProperty(
  parts: readonly string[],
  root: JsonSchema,
): { readonly path: string[]; readonly schema: JsonSchema } {
  const path: string[] = [];
  let schema = root;
  for (const part of parts) {
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
    const name = Object.keys(properties).find((key) => key.toLowerCase() === part.toLowerCase());
    const additional = schema['additionalProperties'];
    const takesAnyName = isObject(additional) && part !== '';
    const custom = takesAnyName ? additional : undefined;
    const next = name === undefined ? custom : properties[name];
    if (next === undefined) {
      throw new VariableError(
        `names no property: "${part}" is not known${didYouMean(nearest(part, Object.keys(properties)), '', ',')}`,
      );
    }
    path.push(name ?? part);
    schema = next;
  }
  return { path, schema };
}

/**
 * Converts a text to the schema's type. Where that is impossible it stays a text, which the
 * validation by the schema then refuses.
 *
 * @throws VariableError
 */
function parseValue(text: string, { type }: JsonSchema): unknown {
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw new VariableError('holds a control character or a line end');
  if (type === 'boolean')
    return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
  if (type === 'integer' || type === 'number')
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'object' || (type === 'array' && text.trimStart().startsWith('[')))
    return parseJson(text);
  if (type !== 'array') return text;
  const items = text.split(',').map((item) => item.trim());
  const entries = items.filter((item) => item !== '');
  // As of `${GROUP_A},${GROUP_B}` without values: an empty list of who is let in lets in all.
  if (entries.length === 0) throw new VariableError('lists nothing; an empty list is []');
  return entries;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new VariableError('is not JSON');
  }
}

function withValue(
  body: JsonObject,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): JsonObject {
  const inner = Object.hasOwn(body, first) ? body[first] : undefined;
  const next = rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value);
  return Object.fromEntries([
    ...Object.entries(body).filter(([key]) => key !== first),
    [first, next],
  ]);
}

/** A problem that names the variable instead of the property. */
export function withVariableName(
  problem: ConfigProblem,
  variables: ReadonlyMap<string, string>,
): ConfigProblem {
  // The last one is that of the property itself, or of the closest object around it.
  const variableEntry = [...variables].findLast(
    ([path]) => problem.property === path || problem.property.startsWith(`${path}.`),
  );
  return variableEntry === undefined
    ? problem
    : { ...problem, property: `${problem.property} (${variableEntry[1]})` };
}
