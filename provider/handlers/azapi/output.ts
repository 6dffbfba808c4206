import { fromJson, type Json, toJson } from '../../values/json.js';
import type { Dynamic, Value } from '../../values/value.js';
import { ProviderFailure } from '../handler.js';
import { isArray } from './compare-bodies.js';
import { isObject } from '../../../core/values/is-object.js';

/** Properties that change without a write: in the output, they would make every plan differ. */
const volatile = new Set([
  'etag',
  'lastModifiedAt',
  'lastModified',
  'updatedAt',
  'lastModifiedDate',
]);

/**
 * The `output` attribute of an answer: the paths of `response_export_values` with their nesting,
 * the values of its expressions by name, everything for `["*"]`. Without it, the properties that
 * are not in the request, if they are exported by default, or nothing.
 */
export function outputOf(
  answer: Json,
  exported: Value,
  options: { readonly request: Json; readonly byDefault: boolean },
): Dynamic {
  const paths = exported === null ? undefined : toJson(exported);
  if (paths === undefined)
    return fromJson(options.byDefault ? (readOnlyPart(answer, options.request) ?? {}) : {});
  if (isArray(paths))
    return fromJson(
      paths.includes('*')
        ? answer
        : paths.reduce<Json>((all, path) => copyPath(all, answer, String(path).split('.')), {}),
    );
  if (isObject(paths))
    return fromJson(
      Object.fromEntries(
        Object.entries(paths).map(([name, expression]) => [
          name,
          evaluate(String(expression), answer),
        ]),
      ),
    );
  throw new ProviderFailure(
    'Invalid configuration',
    'response_export_values must be a list of paths or a map of JMESPath expressions',
    ['response_export_values'],
  );
}

/**
 * The properties that were not sent: id, type, states and addresses. Like the official provider,
 * includes lists of texts.
 */
function readOnlyPart(answer: Json, request: Json): Json | undefined {
  if (!isObject(answer))
    return isArray(answer) && answer.every((each) => typeof each === 'string') ? answer : undefined;
  const known = isObject(request) ? request : {};
  const entries = Object.entries(answer).flatMap(([name, value]): [string, Json][] => {
    if (volatile.has(name) || name === 'name' || name === 'systemData') return [];
    if (!(name in known)) return isObject(value) ? [] : [[name, value]];
    const part = readOnlyPart(value, known[name] ?? null);
    return part === undefined || (isObject(part) && Object.keys(part).length === 0)
      ? []
      : [[name, part]];
  });
  return Object.fromEntries(entries);
}

/** Adds the value at a path of an answer to a document, with its nesting. */
function copyPath(into: Json, answer: Json, [name = '', ...rest]: readonly string[]): Json {
  if (!isObject(answer) || !(name in answer)) return into;
  const base = isObject(into) ? into : {};
  const value = answer[name] ?? null;
  return { ...base, [name]: rest.length === 0 ? value : copyPath(base[name] ?? {}, value, rest) };
}

/**
 * The selecting part of JMESPath: names, indexes, projections of lists. Missing values are null.
 */
function evaluate(expression: string, document: Json): Json {
  const steps = expression.match(/"[^"]+"|[A-Za-z_]\w*|\[-?\d+\]|\[\*?\]|@/g) ?? [];
  if (steps.join('').length !== expression.replaceAll('.', '').length)
    throw new ProviderFailure(
      'Invalid configuration',
      `response_export_values: "${expression}" is beyond the JMESPath that this provider evaluates: names, positions and [*].`,
      ['response_export_values'],
    );
  return selectFrom(document, steps);
}

function selectFrom(at: Json, [step, ...rest]: readonly string[]): Json {
  if (step === undefined) return at;
  if (step === '@') return selectFrom(at, rest);
  if (step === '[]' || step === '[*]')
    return isArray(at)
      ? at.map((each) => selectFrom(each, rest)).filter((each) => each !== null)
      : null;
  if (step.startsWith('['))
    return isArray(at) ? selectFrom(at.at(Number(step.slice(1, -1))) ?? null, rest) : null;
  const name = step.replaceAll('"', '');
  return isObject(at) && name in at ? selectFrom(at[name] ?? null, rest) : null;
}
