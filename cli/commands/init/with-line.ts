import { lineBreakOf } from './package-json.js';

/** A text with a line more at its end, unless it has it; the line alone in place of no text. */
export function withLine(text: string | undefined, line: string): string {
  if (text === undefined) return `${line}\n`;
  if (text.split(/\r?\n/).includes(line)) return text;
  const lineBreak = lineBreakOf(text);
  return `${text}${text === '' || text.endsWith('\n') ? '' : lineBreak}${line}${lineBreak}`;
}
