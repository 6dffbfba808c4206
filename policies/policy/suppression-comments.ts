import type { SourceLocation } from '../../core/findings/finding.js';
import type { SourceText } from '../../core/source/source-text.js';

/** A suppression, wherever it is written. */
export interface Suppression {
  readonly rule: string;
  readonly reason: string | undefined;
  readonly owner: string | undefined;
  /** The last day on which it holds. */
  readonly until: string | undefined;
  readonly location: SourceLocation;
  /** Of a comment: the line whose findings it accepts. */
  readonly line?: number;
  /** Of a comment: the value it is for, as text, where it says one. */
  readonly valueText?: string;
  /** Of a policy: the configuration path, the fingerprint, the value and the stack that it is for. */
  readonly path?: string;
  readonly fingerprint?: string;
  readonly value?: unknown;
  readonly stack?: string;
}

const comment = /#\s*castellan-ignore\s+([^#\n]*)/;
const attribute = /(\w+)=(?:"([^"]*)"|'([^']*)'|(\S+))/g;

/**
 * The suppressions that stand as comments beside what they are for: `# castellan-ignore RULE reason="…" owner=… until=YYYY-MM-DD`, and
 * `value="…"` where the finding is to be back when the line says something else.
 */
export function suppressionComments(source: SourceText): readonly Suppression[] {
  if (!source.text.includes('castellan-ignore')) return [];
  const found: Suppression[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    const text = source.line(line);
    const match = comment.exec(text);
    if (match === null) continue;
    const words = match[1] ?? '';
    const attributes = Object.fromEntries(
      [...words.matchAll(attribute)].map(([, name, ...values]) => [name, values.find((value) => value !== undefined)]),
    );
    const location = { file: source.file, line, column: match.index + 1, endLine: line, endColumn: text.length + 1 };
    const target = text.slice(0, match.index).trim() === '' ? nextLine(source, line) : line;
    const rules = words
      .replace(attribute, ' ')
      .split(/[\s,]+/)
      .filter((word) => word !== '');
    for (const rule of rules.length === 0 ? [''] : rules)
      found.push({
        rule,
        reason: attributes['reason'],
        owner: attributes['owner'],
        until: attributes['until'],
        location,
        line: target,
        ...(attributes['value'] === undefined ? {} : { valueText: attributes['value'] }),
      });
  }
  return found;
}

/** The next line that says something. */
function nextLine(source: SourceText, line: number): number {
  let next = line + 1;
  while (next <= source.lineCount && /^\s*(#|$)/.test(source.line(next))) next++;
  return next;
}
