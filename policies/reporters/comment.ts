import { escapeControlCharacters } from '../../core/text/control-characters.js';

/** The size limit of comments on common hosts (65,536 characters), minus a footer. */
const maxCommentLength = 60_000;
/** The longest text in a comment, in characters; longer ones are cut. */
const maxTextLength = 4_000;

/**
 * A comment on a change with as many lines as fit; left-out lines of tables are counted.
 *
 * @param appendix the part at the end that must fit
 * @param rows the noun and verb after the number of left-out lines: `findings are in the report`
 */
export function fitComment(lines: readonly string[], appendix: string, rows: string): string {
  let text = '';
  let omitted = 0;
  for (const line of lines) {
    if (text.length + line.length + appendix.length < maxCommentLength) text += `${line}\n`;
    else omitted += line.startsWith('| ') ? 1 : 0;
  }
  return `${text}${omitted > 0 ? `\n${String(omitted)} more ${rows}.\n` : ''}${appendix}`;
}

/** Escapes text so that it stays in one cell and is not interpreted as markup, link or mention. */
export function escapeMarkdown(text: string): string {
  const short = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  return (
    escapeControlCharacters(short)
      .replace(/[\\`*_{}[\]<>#|~!&]/g, '\\$&')
      .replace(/@(?=\w)/g, '@\u200B')
      // hosts make links of bare addresses, too
      .replace(/:(?=\/\/)/g, '\\:')
      .replace(/\bwww(?=\.)/gi, '$&\\')
  );
}
