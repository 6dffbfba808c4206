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
  readonly body: JsonObject;
  readonly problems: readonly ConfigProblem[];
  /** The variables by the dotted path of their property. */
  readonly variables: ReadonlyMap<string, string>;
}

/** The variables that set properties, those of whole objects first. Empty ones count as unset. */
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
      const { path, of } = resolve(variable.slice(propertyPrefix.length).split('__'), schema);
      result = withValue(result, path, valueOf(text, of));
      variables.set(path.join('.'), variable);
    } catch (error) {
      if (!(error instanceof RefusedVariable)) throw error;
      problems.push({ property: variable, message: error.message });
    }
  }
  return { body: result, problems, variables };
}

class RefusedVariable extends Error {}

/** The property that a variable names, in the spelling of the schema. @throws RefusedVariable */
function resolve(
  parts: readonly string[],
  schema: JsonSchema,
): { readonly path: string[]; readonly of: JsonSchema } {
  const path: string[] = [];
  let of = schema;
  for (const part of parts) {
    const properties = (of['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
    const name = Object.keys(properties).find((key) => key.toLowerCase() === part.toLowerCase());
    const others = of['additionalProperties'];
    const next =
      name === undefined
        ? isObject(others) && part !== ''
          ? others
          : undefined
        : properties[name];
    if (next === undefined) {
      throw new RefusedVariable(
        `names no property: "${part}" is not known${didYouMean(nearest(part, Object.keys(properties)), '', ',')}`,
      );
    }
    path.push(name ?? part);
    of = next;
  }
  return { path, of };
}

/**
 * Converts a text to the schema's type; if impossible, it stays a text, which the schema then
 * refuses. @throws RefusedVariable
 */
function valueOf(text: string, { type }: JsonSchema): unknown {
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw new RefusedVariable('holds a control character or a line end');
  if (type === 'boolean')
    return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
  if (type === 'integer' || type === 'number')
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'object' || (type === 'array' && text.trimStart().startsWith('[')))
    return json(text);
  if (type !== 'array') return text;
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedVariable('is not JSON');
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
  const variableEntry = [...variables].find(
    ([path]) => problem.property === path || problem.property.startsWith(`${path}.`),
  );
  return variableEntry === undefined
    ? problem
    : { ...problem, property: `${problem.property} (${variableEntry[1]})` };
}
