import { isObject } from '../values/is-object.js';
/** One place in which two values differ; a side that has nothing there is absent. */
export interface Difference {
  readonly path: readonly (string | number)[];
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Where two values differ, as deep as they are alike: keys in alphabetical order, items of lists by position. */
export function differences(before: unknown, after: unknown, path: readonly (string | number)[] = []): readonly Difference[] {
  if (Object.is(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => differences(before[key], after[key], [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      differences((before as unknown[])[index], (after as unknown[])[index], [...path, index]),
    );
  }
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}
