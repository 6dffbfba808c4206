import type { SourceLocation } from '../findings/finding.js';
import type { SourceText } from '../source/source-text.js';

/** The longest line of a frame before it is cut, unless the terminal is narrower. */
const widest = 160;
const narrowest = 16;

/**
 * The lines around a location, with the location underlined.
 *
 * @param hidden locations whose text must not be shown: secrets.
 * @param columns the width of the frame, including line numbers.
 */
export function codeFrame(
  source: SourceText,
  location: SourceLocation,
  hidden: readonly SourceLocation[] = [],
  columns = Infinity,
): string {
  const first = Math.max(1, location.line - 1);
  const last = Math.min(source.lineCount, location.line + 1);
  const width = String(last).length;
  const room = Math.min(widest, Math.max(narrowest, columns - width - 7));
  const markLine = markLength(location, maskLine(source, location.line, hidden));
  // From the first character, unless the marked ones would then be cut off.
  const from =
    location.column - 1 + markLine <= room
      ? 0
      : Math.max(0, location.column - 1 - Math.floor(room / 2));
  const lines: string[] = [];
  for (let number = first; number <= last; number++) {
    const isTarget = number === location.line;
    const text = maskLine(source, number, hidden).replaceAll('\t', ' ');
    if (!isTarget && text.trim() === '') continue;
    lines.push(
      `${isTarget ? '>' : ' '} ${String(number).padStart(width)} | ${still(cut(text, from, room))}`.trimEnd(),
    );
    if (isTarget) {
      const before = location.column - 1 - from + (from > 0 ? 1 : 0);
      lines.push(
        `  ${' '.repeat(width)} | ${' '.repeat(before)}${'^'.repeat(Math.min(markLine, Math.max(1, room - before + 1)))}`,
      );
    }
  }
  return lines.join('\n');
}

/**
 * The text without terminal control characters; each is replaced by one character, so that the mark
 * stays below its text.
 */
function still(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    '\ufffd',
  );
}

function cut(text: string, from: number, room: number): string {
  const part = text.slice(from, from + room);
  return `${from > 0 ? '…' : ''}${part}${from + room < text.length ? '…' : ''}`;
}

function markLength({ line, column, endLine, endColumn }: SourceLocation, text: string): number {
  const end = endLine === undefined || endLine > line ? text.length + 1 : (endColumn ?? column + 1);
  return Math.max(1, Math.min(end, text.length + 1, column + 80) - column);
}

function maskLine(source: SourceText, line: number, hidden: readonly SourceLocation[]): string {
  let text = source.line(line);
  for (const place of hidden) {
    const endLine = place.endLine ?? place.line;
    if (place.file !== source.file || line < place.line || line > endLine) continue;
    const start = line === place.line ? place.column - 1 : 0;
    const end = line === endLine ? (place.endColumn ?? text.length + 1) - 1 : text.length;
    text = text.slice(0, start) + '•'.repeat(Math.max(0, end - start)) + text.slice(end);
  }
  return text;
}
