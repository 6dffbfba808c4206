import type { ValueMap } from '../../values/value.js';
import type { Json } from '../../values/json.js';
import { textOrEmpty } from '../read-values.js';

/**
 * Applies parameters to a text: TextReplace changes every occurrence, JsonPathReplace sets the
 * values at a path to a text.
 */
export function applyParameters(text: string, parameters: readonly ValueMap[]): string {
  let result = text;
  for (const parameter of parameters) {
    const [find, value] = [textOrEmpty(parameter, 'find'), textOrEmpty(parameter, 'value')];
    result =
      textOrEmpty(parameter, 'type') === 'TextReplace'
        ? result.replaceAll(find, () => value)
        : replaceAtPath(result, find, value);
  }
  return result;
}

/**
 * Sets the values at a path such as `$.sources[0].name` or `$.a[*].b`; a path without values
 * changes nothing.
 */
function replaceAtPath(text: string, path: string, value: string): string {
  const steps = path.replace(/^\$/, '').match(/[^.[\]'"]+/g) ?? [];
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch {
    return text; // not JSON: a path has no values in it
  }
  return JSON.stringify(setAtSteps(document, steps, value));
}

function setAtSteps(node: Json, [step, ...rest]: readonly string[], value: string): Json {
  if (step === undefined) return value;
  if (Array.isArray(node))
    return (node as readonly Json[]).map((each, index) =>
      step === '*' || Number(step) === index ? setAtSteps(each, rest, value) : each,
    );
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, each]) => [
      name,
      step === '*' || step === name ? setAtSteps(each, rest, value) : each,
    ]),
  );
}
