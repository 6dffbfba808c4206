/** A key that an object of a JSON text has twice. */
export interface RepeatedKey {
  /** The keys that lead to it, and the key itself. */
  readonly path: readonly string[];
  /** The offset of its second occurrence. */
  readonly offset: number;
}

/** Strings, and the characters that begin, separate and end objects and lists. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** An object or list that the search is in. */
interface Container {
  /** The keys of an object so far; undefined for a list. */
  readonly keys?: Set<string>;
  /** The latest key, or the index in a list. */
  step: string;
}

/**
 * The first key that an object of a JSON text has twice. `JSON.parse` takes the last one of them
 * without a word.
 *
 * @param text valid JSON.
 */
export function findRepeatedKey(text: string): RepeatedKey | undefined {
  const containers: Container[] = [];
  let isKeyNext = false;
  for (const { 0: match, index: offset } of text.matchAll(token)) {
    const container = containers.at(-1);
    if (match === '{' || match === '[') {
      containers.push(match === '{' ? { keys: new Set(), step: '' } : { step: '0' });
      isKeyNext = match === '{';
    } else if (match === '}' || match === ']') {
      containers.pop();
    } else if (match === ',') {
      isKeyNext = container?.keys !== undefined;
      if (container && !isKeyNext) container.step = String(Number(container.step) + 1);
    } else if (isKeyNext && container?.keys) {
      isKeyNext = false;
      container.step = JSON.parse(match) as string;
      if (container.keys.has(container.step))
        return { path: containers.map(({ step }) => step), offset };
      container.keys.add(container.step);
    }
  }
  return undefined;
}
