import { readFileSync } from 'node:fs';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { SourceText } from '../../../core/source/source-text.js';
import { isObject } from '../../../core/values/is-object.js';
import { Layers } from '../../../core/yaml/layers.js';
import { parseWithLocations } from '../../../core/yaml/parse-yaml.js';
import { configError, type ConfigProblem, problemsOf } from './problems.js';

/**
 * The error of a refused configuration, with the location of each problem in the file: that of its
 * property, or of the closest parent that the file has. Any other error is returned unchanged.
 */
export function locateProblems(error: unknown): unknown {
  const file = error instanceof CastellanError ? error.details['file'] : undefined;
  const layers = typeof file === 'string' ? layersOf(file) : undefined;
  if (layers === undefined) return error;
  return configError(
    String(file),
    problemsOf(error).map((problem) => withLocation(problem, layers)),
  );
}

/** The values of a file with their locations; undefined if it can't be read or parsed. */
function layersOf(file: string): Layers | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined; // reported as the problem itself
  }
  const parsed = parseWithLocations(new SourceText(file, text));
  return 'problem' in parsed ? undefined : new Layers(parsed.documents.slice(0, 1));
}

function withLocation(problem: ConfigProblem, layers: Layers): ConfigProblem {
  const { value } = layers;
  const parents = isObject(value) && 'properties' in value ? ['properties'] : [];
  const path = [...parents, ...problem.property.split('.')];
  // A mistake in an environment variable is not in the file; `property` then ends with its name in
  // parentheses.
  const isInFile =
    !problem.property.includes(' ') && layers.find(path.slice(0, parents.length + 1)) !== undefined;
  const location = isInFile ? layers.locate(path) : undefined;
  return location === undefined ? problem : { ...problem, location };
}
