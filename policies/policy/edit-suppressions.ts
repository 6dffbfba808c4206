import { isSeq, parseDocument } from 'yaml';
import type { SuppressionConfig } from '../schemas/policy.js';

/** A policy's text with one more suppression, its comments and layout kept. */
export function addSuppression(text: string, suppression: SuppressionConfig): string {
  const document = parseDocument(text.trim() === '' ? 'version: 1\n' : text);
  if (!isSeq(document.get('suppressions'))) document.set('suppressions', document.createNode([]));
  document.addIn(['suppressions'], document.createNode(suppression));
  return document.toString({ lineWidth: 0 });
}

/** A policy's text without the suppressions at these places of its list. */
export function removeSuppressions(text: string, indexes: readonly number[]): string {
  const document = parseDocument(text);
  for (const index of [...indexes].sort((a, b) => b - a)) document.deleteIn(['suppressions', index]);
  const left = document.get('suppressions');
  if (isSeq(left) && left.items.length === 0) document.delete('suppressions');
  return document.toString({ lineWidth: 0 });
}

/** A configuration's text without the suppression comments on these lines (counted from 1). */
export function removeComments(text: string, lines: readonly number[]): string {
  const gone = new Set(lines);
  return text
    .split('\n')
    .flatMap((line, index) => {
      if (!gone.has(index + 1)) return [line];
      const kept = line.replace(/\s*#\s*castellan-ignore\b.*$/, '');
      return kept.trim() === '' ? [] : [kept];
    })
    .join('\n');
}
