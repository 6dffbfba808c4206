import type { SourceLocation } from '../../../core/findings/finding.js';
import type { SourceText } from '../../../core/source/source-text.js';
import type { YamlNode } from '../../../core/yaml/node.js';
import { parseYaml } from '../../../core/yaml/parse-yaml.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

interface TextRange {
  /** Offset in the text, from 0. */
  readonly start: number;
  readonly end: number;
}

/** A suppression, in a comment or a policy. */
export interface Suppression {
  /** The id of the rule; empty in a comment that names none. */
  readonly rule: string;
  readonly reason: string | undefined;
  /** Who is responsible for it. */
  readonly owner: string | undefined;
  /** The last day on which it applies. */
  readonly until: string | undefined;
  /** The place of the suppression itself, not of what it accepts. */
  readonly location: SourceLocation;
  /** In a comment: the line whose findings it accepts. */
  readonly line?: number;
  /** In a comment: the value that it applies to, as text, if given. */
  readonly valueText?: string;
  /**
   * In a policy: the configuration path, the fingerprint, the value and the stack that it applies
   * to.
   */
  readonly path?: string;
  readonly fingerprint?: string;
  readonly value?: unknown;
  readonly stack?: string;
  /** The environments that it applies to. @default all */
  readonly environments?: readonly string[];
}

// A comment sign within quotes is part of the text, such as that of a ticket.
const commentPattern = /(?<!\S)#\s*castellan-ignore(?![\w-]):?((?:"[^"\n]*"|'[^'\n]*'|[^#\n])*)/g;
const attributePattern = /(\w+)=(?:"([^"]*)"|'([^']*)'|(\S+))/g;

/**
 * Parses the suppressions in comments beside their subject:
 * `# castellan-ignore RULE reason="…" owner=… until=YYYY-MM-DD`, with an optional `value="…"` so
 * that the finding returns when the value changes.
 */
export async function suppressionComments(source: SourceText): Promise<readonly Suppression[]> {
  if (!source.text.includes('castellan-ignore')) return [];
  const suppressions: Suppression[] = [];
  const quotedTexts = await quotedRanges(source);
  for (let line = 1; line <= source.lineCount; line++) {
    const text = source.line(line);
    const match = [...text.matchAll(commentPattern)].find(
      ({ index }) => !quotedTexts.some((each) => containsPosition(each, source, line, index + 1)),
    );
    if (match === undefined) continue;
    const words = match[1] ?? '';
    const attributes = Object.fromEntries(
      [...words.matchAll(attributePattern)].map(([, name, ...values]) => [
        name,
        values.find((value) => value !== undefined),
      ]),
    );
    const location = {
      file: source.file,
      line,
      column: match.index + 1,
      endLine: line,
      endColumn: text.length + 1,
    };
    const target = text.slice(0, match.index).trim() === '' ? nextLine(source, line) : line;
    const rules = words
      .replace(attributePattern, ' ')
      .split(/[\s,]+/)
      .filter((word) => word !== '');
    for (const rule of rules.length === 0 ? [''] : rules)
      suppressions.push({
        rule,
        reason: attributes['reason'],
        owner: attributes['owner'],
        until: attributes['until'],
        location,
        line: target,
        ...omitUndefined({ valueText: attributes['value'] }),
      });
  }
  return suppressions;
}

/**
 * The positions of quoted and block scalars that contain suppressions: these are text, not
 * comments.
 */
async function quotedRanges(source: SourceText): Promise<readonly TextRange[]> {
  const parsed = parseYaml(source);
  // A file with syntax errors has findings of its own, which cannot be suppressed
  if ('problem' in parsed) return [];
  const { text } = source;
  const ranges: TextRange[] = [];
  const visit = ({ kind, value, start, end, children }: YamlNode): void => {
    for (const child of children) visit(child);
    if (kind !== 'scalar' || typeof value !== 'string' || !value.includes('castellan-ignore'))
      return;
    const firstCharacter = text.charAt(start);
    if (firstCharacter === '"' || firstCharacter === "'") ranges.push({ start, end });
    // A comment may follow the indicator of a block scalar.
    else if (firstCharacter === '|' || firstCharacter === '>')
      ranges.push({ start: text.indexOf('\n', start), end });
  };
  for (const { root } of parsed.documents) visit(root);
  return ranges;
}

function containsPosition(
  { start, end }: TextRange,
  source: SourceText,
  line: number,
  column: number,
): boolean {
  const [from, to] = [source.position(start), source.position(end)];
  const isAfter = line > from.line || (line === from.line && column > from.column);
  return isAfter && (line < to.line || (line === to.line && column < to.column));
}

/** The next line with content. */
function nextLine(source: SourceText, line: number): number {
  let next = line + 1;
  while (next <= source.lineCount && /^\s*(#|$)/.test(source.line(next))) next++;
  return next;
}
