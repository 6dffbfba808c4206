import type { ValueMap } from '../../values/value.js';
import type { Json } from '../../values/json.js';
import { requiredText } from '../read-values.js';

/**
 * Applies parameters to a text: TextReplace changes every occurrence, JsonPathReplace sets the
 * values at a path to a text.
 */
export function applyParameters(text: string, parameters: readonly ValueMap[]): string {
  return parameters.reduce((filled, parameter) => {
    const [find, value] = [requiredText(parameter, 'find'), requiredText(parameter, 'value')];
    return requiredText(parameter, 'type') === 'TextReplace'
      ? filled.replaceAll(find, () => value)
      : replaceAtPath(filled, find, value);
  }, text);
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
  return JSON.stringify(setAt(document, steps, value));
}

function setAt(at: Json, [step, ...rest]: readonly string[], value: string): Json {
  if (step === undefined) return value;
  if (Array.isArray(at))
    return (at as readonly Json[]).map((each, index) =>
      step === '*' || Number(step) === index ? setAt(each, rest, value) : each,
    );
  if (typeof at !== 'object' || at === null) return at;
  return Object.fromEntries(
    Object.entries(at).map(([name, each]) => [
      name,
      step === '*' || step === name ? setAt(each, rest, value) : each,
    ]),
  );
}
