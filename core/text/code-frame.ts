import type { SourceLocation } from '../findings/finding.js';
import type { SourceText } from '../source/source-text.js';
import { controlCharacters } from './control-characters.js';

/** The most characters of a source line in a frame, however wide the terminal is. */
const maxTextWidth = 160;
/** The fewest characters, however narrow it is. */
const minTextWidth = 16;
/** The columns of `> `, ` | ` and the ellipses of a cut line, beside the number and the text. */
const frameColumns = 7;
/** The most characters that are underlined. */
const maxMarkedLength = 80;

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
  const numberWidth = String(last).length;
  const textWidth = Math.min(
    maxTextWidth,
    Math.max(minTextWidth, columns - numberWidth - frameColumns),
  );
  const markedLength = markedLengthOf(location, maskLine(source, location.line, hidden));
  // From the first character, unless the marked ones would then be cut off.
  const startIndex =
    location.column - 1 + markedLength <= textWidth
      ? 0
      : Math.max(0, location.column - 1 - Math.floor(textWidth / 2));
  const lines: string[] = [];
  for (let number = first; number <= last; number++) {
    const isTarget = number === location.line;
    const text = maskLine(source, number, hidden).replaceAll('\t', ' ');
    if (!isTarget && text.trim() === '') continue;
    lines.push(
      `${isTarget ? '>' : ' '} ${String(number).padStart(numberWidth)} | ${replaceControlCharacters(cutToWidth(text, startIndex, textWidth))}`.trimEnd(),
    );
    if (isTarget) {
      const indent = location.column - 1 - startIndex + (startIndex > 0 ? 1 : 0);
      lines.push(
        `  ${' '.repeat(numberWidth)} | ${' '.repeat(indent)}${'^'.repeat(Math.min(markedLength, Math.max(1, textWidth - indent + 1)))}`,
      );
    }
  }
  return lines.join('\n');
}

/**
 * The text without terminal control characters; each is replaced by one character, so that the mark
 * stays below its text.
 */
function replaceControlCharacters(text: string): string {
  return text.replace(controlCharacters, '\ufffd');
}

function cutToWidth(text: string, startIndex: number, width: number): string {
  const part = text.slice(startIndex, startIndex + width);
  return `${startIndex > 0 ? '…' : ''}${part}${startIndex + width < text.length ? '…' : ''}`;
}

function markedLengthOf(
  { line, column, endLine, endColumn }: SourceLocation,
  text: string,
): number {
  const end = endLine === undefined || endLine > line ? text.length + 1 : (endColumn ?? column + 1);
  return Math.max(1, Math.min(end, text.length + 1, column + maxMarkedLength) - column);
}

function maskLine(source: SourceText, line: number, hidden: readonly SourceLocation[]): string {
  let text = source.line(line);
  for (const hiddenLocation of hidden) {
    const endLine = hiddenLocation.endLine ?? hiddenLocation.line;
    if (hiddenLocation.file !== source.file || line < hiddenLocation.line || line > endLine)
      continue;
    const start = line === hiddenLocation.line ? hiddenLocation.column - 1 : 0;
    const end = line === endLine ? (hiddenLocation.endColumn ?? text.length + 1) - 1 : text.length;
    text = text.slice(0, start) + '•'.repeat(Math.max(0, end - start)) + text.slice(end);
  }
  return text;
}
