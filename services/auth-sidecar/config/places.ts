import { SourceText } from '../../../core/source/source-text.js';
import { isObject } from '../../../core/values/is-object.js';
import { Layers } from '../../../core/yaml/layers.js';
import { parseWithPlaces } from '../../../core/yaml/parse-yaml.js';
import type { ConfigProblem } from './problems.js';

/**
 * The problems with their places in the file: those of their properties, or of the closest ones
 * above that the file has. A property that the file does not mention has none.
 */
export function withPlaces(
  file: string,
  text: string,
  problems: readonly ConfigProblem[],
): ConfigProblem[] {
  const parsed = parseWithPlaces(new SourceText(file, text));
  const root = 'problem' in parsed ? undefined : parsed.documents[0]?.root;
  if ('problem' in parsed || !isObject(root?.value)) return [...problems];
  const layers = new Layers(parsed.documents.slice(0, 1));
  const above = 'properties' in root.value ? ['properties'] : [];
  return problems.map((problem) => {
    const path = [...above, ...problem.property.split('.')];
    const isThere = layers.find(path.slice(0, above.length + 1)) !== undefined;
    const location = isThere ? layers.locate(path) : undefined;
    return location === undefined ? problem : { ...problem, location };
  });
}

/** The place of a mistake that a parser reports, as far as it says it. */
export function placeOfMistake(
  file: string,
  text: string,
  error: unknown,
): ConfigProblem['location'] {
  const { mark, message } = error as {
    readonly mark?: { readonly line: number; readonly column: number };
    readonly message: string;
  };
  if (mark !== undefined) return { file, line: mark.line + 1, column: mark.column + 1 };
  const source = new SourceText(file, text);
  if (message.includes('end of JSON input')) return source.location(text.length);
  const offset = /position (\d+)/.exec(message)?.[1];
  if (offset !== undefined) return source.location(Number(offset));
  const parsed = parseWithPlaces(source);
  return 'problem' in parsed ? parsed.problem.location : undefined;
}
