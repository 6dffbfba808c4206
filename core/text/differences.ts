import { omitUndefined } from '../values/omit-undefined.js';
import { isObject } from '../values/is-object.js';

/** A place in which two values differ; a missing side is undefined. */
export interface Difference {
  readonly path: readonly (string | number)[];
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * The differences of two values at the deepest level: keys in alphabetical order, list items by
 * position.
 */
export function differences(
  before: unknown,
  after: unknown,
  path: readonly (string | number)[] = [],
): readonly Difference[] {
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
  return [
    {
      path,
      ...omitUndefined({ before, after }),
    },
  ];
}

/**
 * The lines that differ between two texts, with `-` and `+` before them and the number of each in
 * its own text.
 */
export function lineDiff(before: string, after: string): string {
  const [left, right] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let [leftEnd, rightEnd] = [left.length, right.length];
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  const lines: string[] = [];
  const hasEqualLength = leftEnd - start === rightEnd - start;
  for (let index = start; index < leftEnd; index++) {
    const [old, next] = [left[index] ?? '', right[index] ?? ''];
    if (hasEqualLength && old === next) continue;
    lines.push(`${String(index + 1)} - ${old}`);
    if (hasEqualLength) lines.push(`${String(index + 1)} + ${next}`);
  }
  if (!hasEqualLength)
    for (let index = start; index < rightEnd; index++)
      lines.push(`${String(index + 1)} + ${right[index] ?? ''}`);
  return lines.join('\n');
}
