import { visible } from '../../core/text/visible.js';

/** How much a comment may hold on the hosts that people use (65,536 characters), with room for a footer. */
const longest = 60_000;
/** So much of one text: what a name or rule may hold is less. */
const longestText = 4_000;

/**
 * A comment, as far as its lines fit: those that don't are left out, and rows of tables among them are counted.
 *
 * @param behind what has to
 * fit
 */
export function commentOf(lines: readonly string[], behind: string, rows: string): string {
  let text = '';
  let omitted = 0;
  for (const line of lines) {
    if (text.length + line.length + behind.length < longest) text += `${line}\n`;
    else omitted += line.startsWith('| ') ? 1 : 0;
  }
  return `${text}${omitted > 0 ? `\n${String(omitted)} more ${rows}.\n` : ''}${behind}`;
}

/** Text that stays one cell and can't become markup, a link or a mention. */
export function inline(text: string): string {
  const short = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return visible(short)
    .replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&')
    .replace(/@(?=\w)/g, '@\u200B');
}
