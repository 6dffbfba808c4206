import { readFileSync } from 'node:fs';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { SourceText } from '../../../core/source/source-text.js';
import { isObject } from '../../../core/values/is-object.js';
import { Layers } from '../../../core/yaml/layers.js';
import { parseWithPlaces } from '../../../core/yaml/parse-yaml.js';
import { configError, type ConfigProblem, problemsOf } from './problems.js';

/**
 * The error of a refused configuration with the place of each problem: that of its property, or of
 * the closest one above that the file has. Any other error stays as it is.
 */
export function withPlaces(error: unknown): unknown {
  const file = error instanceof CastellanError ? error.details['file'] : undefined;
  const layers = typeof file === 'string' ? layersOf(file) : undefined;
  if (layers === undefined) return error;
  return configError(
    String(file),
    problemsOf(error).map((problem) => placed(problem, layers)),
  );
}

/** The values of a file with their places; undefined if it can't be read. */
function layersOf(file: string): Layers | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined; // reported as the problem itself
  }
  const parsed = parseWithPlaces(new SourceText(file, text));
  return 'problem' in parsed ? undefined : new Layers(parsed.documents.slice(0, 1));
}

function placed(problem: ConfigProblem, layers: Layers): ConfigProblem {
  const { value } = layers;
  const above = isObject(value) && 'properties' in value ? ['properties'] : [];
  const path = [...above, ...problem.property.split('.')];
  // A variable's mistake is not in the file: the variable is named behind the property.
  const isThere =
    !problem.property.includes(' ') && layers.find(path.slice(0, above.length + 1)) !== undefined;
  const location = isThere ? layers.locate(path) : undefined;
  return location === undefined ? problem : { ...problem, location };
}
