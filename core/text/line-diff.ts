/** The lines that differ between two texts, with `-` and `+` before them and the number of the old line. */
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
  const same = leftEnd - start === rightEnd - start;
  for (let index = start; index < leftEnd; index++) {
    const [old, next] = [left[index] ?? '', right[index] ?? ''];
    if (same && old === next) continue;
    lines.push(`${String(index + 1)} - ${old}`);
    if (same) lines.push(`${String(index + 1)} + ${next}`);
  }
  if (!same) for (let index = start; index < rightEnd; index++) lines.push(`${String(index + 1)} + ${right[index] ?? ''}`);
  return lines.join('\n');
}
