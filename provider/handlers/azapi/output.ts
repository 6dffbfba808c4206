import { fromJson, type Json, toJson } from '../../values/json.js';
import type { Dynamic, Value } from '../../values/value.js';
import { ProviderFailure } from '../handler.js';
import { isArray } from './compare-bodies.js';
import { isObject } from '../../../core/values/is-object.js';

/** Properties that change without a write: in the output, they would make every plan differ. */
const volatileProperties = new Set([
  'etag',
  'lastModifiedAt',
  'lastModified',
  'updatedAt',
  'lastModifiedDate',
]);

/**
 * The `output` attribute of an answer: the paths of `response_export_values` with their nesting,
 * the values of its expressions by name, or everything for `["*"]`.
 *
 * @param exports the value of `response_export_values`.
 * @param whenUnset the output without `response_export_values`.
 */
export function outputOf(answer: Json, exports: Value, whenUnset: Json): Dynamic {
  if (exports === null) return fromJson(whenUnset);
  const exported = toJson(exports);
  if (isArray(exported)) {
    if (exported.includes('*')) return fromJson(answer);
    let output: Json = {};
    for (const path of exported) output = copyPath(output, answer, String(path).split('.'));
    return fromJson(output);
  }
  if (isObject(exported))
    return fromJson(
      Object.fromEntries(
        Object.entries(exported).map(([name, expression]) => [
          name,
          evaluateJmesPath(String(expression), answer),
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
 * The properties of an answer that were not in the request: id, type, states and addresses. Like
 * the official provider, includes lists of texts.
 *
 * @param secretNames the properties that `sensitive_body` sets, which no output contains.
 */
export function readOnlyOutput(answer: Json, request: Json, secretNames: Json = {}): Json {
  return readOnlyProperties(answer, request, secretNames) ?? {};
}

function readOnlyProperties(answer: Json, request: Json, secretNames: Json): Json | undefined {
  if (!isObject(answer))
    return isArray(answer) && answer.every((each) => typeof each === 'string') ? answer : undefined;
  const [requested, secrets] = [request, secretNames].map((each) => (isObject(each) ? each : {}));
  const entries = Object.entries(answer).flatMap(([name, value]): [string, Json][] => {
    if (volatileProperties.has(name) || name === 'name' || name === 'systemData') return [];
    const secret = secrets?.[name];
    if (secret !== undefined && !isObject(secret)) return [];
    const requestedValue = requested?.[name];
    if (requestedValue === undefined && !isObject(value)) return [[name, value]];
    const inner = readOnlyProperties(value, requestedValue ?? {}, secret ?? {});
    return inner === undefined || (isObject(inner) && Object.keys(inner).length === 0)
      ? []
      : [[name, inner]];
  });
  return Object.fromEntries(entries);
}

/** Adds the value at a path of an answer to a document, with its nesting. */
function copyPath(target: Json, answer: Json, [name = '', ...rest]: readonly string[]): Json {
  if (!isObject(answer) || !Object.hasOwn(answer, name)) return target;
  const base = isObject(target) ? target : {};
  const value = answer[name] ?? null;
  return { ...base, [name]: rest.length === 0 ? value : copyPath(base[name] ?? {}, value, rest) };
}

/**
 * The selecting part of JMESPath: names, positions, projections of lists (`[*]`) and flattened
 * lists (`[]`). Missing values are null, and left out of lists.
 */
function evaluateJmesPath(expression: string, document: Json): Json {
  const steps = expression.match(/"[^"]+"|[A-Za-z_]\w*|\[-?\d+\]|\[\*?\]|@/g) ?? [];
  if (steps.join('').length !== expression.replace(/("[^"]+")|\./g, '$1').length)
    throw new ProviderFailure(
      'Invalid configuration',
      `response_export_values: "${expression}" is beyond the JMESPath that this provider evaluates: names, positions, [*] and [].`,
      ['response_export_values'],
    );
  let value = document;
  /** How many lists deep the values are to which the next step applies. */
  let depth = 0;
  for (const step of steps) {
    if (step === '[]') {
      value = isArray(value) ? value.flat().filter((each) => each !== null) : null;
      depth = 1;
    } else {
      value = selectAtDepth(value, depth, step);
      if (step === '[*]') depth++;
    }
  }
  return value;
}

function selectAtDepth(node: Json, depth: number, step: string): Json {
  if (depth === 0) return selectStep(node, step);
  return isArray(node)
    ? node.map((each) => selectAtDepth(each, depth - 1, step)).filter((each) => each !== null)
    : null;
}

function selectStep(node: Json, step: string): Json {
  if (step === '@') return node;
  if (step === '[*]') return isArray(node) ? node.filter((each) => each !== null) : null;
  if (step.startsWith('['))
    return isArray(node) ? (node.at(Number(step.slice(1, -1))) ?? null) : null;
  const name = step.replaceAll('"', '');
  return isObject(node) && Object.hasOwn(node, name) ? (node[name] ?? null) : null;
}
