import { isSeq, parseDocument } from 'yaml';
import type { SuppressionConfig } from '../../../kinds/policy/schema.js';

/** Adds a suppression to a policy's text, and keeps its comments and layout. */
export function addSuppression(text: string, suppression: SuppressionConfig): string {
  const document = parseDocument(text.trim() === '' ? 'version: 1\n' : text);
  if (!isSeq(document.get('suppressions'))) document.set('suppressions', document.createNode([]));
  document.addIn(['suppressions'], document.createNode(suppression));
  return document.toString({ lineWidth: 0 });
}

/** Removes the suppressions at these indexes from a policy's text. */
export function removeSuppressions(text: string, indexes: readonly number[]): string {
  const document = parseDocument(text);
  for (const index of [...indexes].sort((a, b) => b - a))
    document.deleteIn(['suppressions', index]);
  const remaining = document.get('suppressions');
  if (isSeq(remaining) && remaining.items.length === 0) document.delete('suppressions');
  return document.toString({ lineWidth: 0 });
}

/** Removes the comments that start at these positions (from 1) from a configuration's text. */
export function removeComments(
  text: string,
  places: readonly { readonly line: number; readonly column: number }[],
): string {
  const removals = new Map(places.map(({ line, column }) => [line, column]));
  return text
    .split('\n')
    .flatMap((line, index) => {
      const column = removals.get(index + 1);
      if (column === undefined) return [line];
      const code = line.slice(0, column - 1).trimEnd();
      return code === '' ? [] : [line.endsWith('\r') ? `${code}\r` : code];
    })
    .join('\n');
}
