/** A destination of text: whether it has colours, and how wide its lines are. */
export interface TerminalOutput {
  readonly color: boolean;
  /**
   * The width of the terminal in characters; undefined for a file or a pipe, whose lines are never
   * wrapped.
   */
  readonly columns: number | undefined;
}

/** A stream that may be a terminal. */
interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** A file or a pipe. */
export const plainOutput: TerminalOutput = { color: false, columns: undefined };

/**
 * The output to a stream. It has colours if `choice` says so; without a choice NO_COLOR and
 * FORCE_COLOR decide, then whether the stream is a terminal.
 */
export function terminalOutputOf(
  stream: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
  choice?: boolean,
): TerminalOutput {
  const isTerminal = stream.isTTY === true;
  const isForced = (env['FORCE_COLOR'] ?? '0') !== '0' && env['FORCE_COLOR'] !== '';
  const color =
    choice ??
    ((env['NO_COLOR'] ?? '') === '' && (isForced || (isTerminal && env['TERM'] !== 'dumb')));
  return { color, columns: isTerminal && (stream.columns ?? 0) > 0 ? stream.columns : undefined };
}

/** The ANSI code of each style. */
const styleCodes = {
  error: 31,
  added: 32,
  warning: 33,
  unknown: 35,
  info: 36,
  dim: 2,
  bold: 1,
} as const;

/** Text styles by meaning. */
export type Style = keyof typeof styleCodes;

/** The text in a style, if the output has colours. */
export function styled(text: string, style: Style, { color }: TerminalOutput): string {
  return color && text !== '' ? `\u001b[${styleCodes[style]}m${text}\u001b[0m` : text;
}

/** A line difference (see lineDiff), with removed lines in red and added ones in green. */
export function styledDiff(lines: string, screen: TerminalOutput): string {
  return lines.replace(/^\d+ ([-+]) .*/gm, (line, sign: string) =>
    styled(line, sign === '-' ? 'error' : 'added', screen),
  );
}

/** The text as a link, on a terminal with colours. */
export function terminalLink(
  text: string,
  target: string | undefined,
  { color, columns }: TerminalOutput,
): string {
  return color && columns !== undefined && target !== undefined
    ? `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\`
    : text;
}

/** The escape sequences for colours and links. */
const escapes = /\u001b(?:\[[0-9;?]*[A-Za-z]|\]8;;[^\u001b]*\u001b\\)/g;

/** The number of visible characters in the text. */
export function visibleLength(text: string): number {
  return [...text.replace(escapes, '')].length;
}

/**
 * Wraps long lines between words. Continuation lines are indented to the last of several columns
 * (after two spaces) if the next word fits there, otherwise like the line itself, or by two. A word
 * longer than a line stays whole, so that it can be copied; a sign before a word (`+ name`) stays
 * with it.
 */
export function wrapLines(text: string, { columns }: TerminalOutput): string {
  return columns === undefined
    ? text
    : text
        .split('\n')
        .map((line) => fitLine(line, columns))
        .join('\n');
}

function fitLine(line: string, columns: number): string {
  if (visibleLength(line) <= columns) return line;
  const plain = line.replace(escapes, '');
  const indent = ' '.repeat(lineIndent(plain, columns));
  const hanging = ' '.repeat(lastColumn(plain, columns) ?? indent.length);
  const lines: string[] = [];
  let current = '';
  for (const [word, gap = ''] of line.matchAll(/( *)(?:(?:[-+~.]|-\/\+) )?\S+/g)) {
    const next = word.slice(gap.length);
    const length = visibleLength(next);
    const fits = visibleLength(current + word) <= columns || indent.length + length > columns;
    if (current === '' || (fits && visibleLength(current) < columns)) current += word;
    else {
      lines.push(current);
      current = (hanging.length + length > columns ? indent : hanging) + next;
    }
  }
  return [...lines, current].join('\n');
}

/** The start of the last of several columns, if there is enough room after it. */
function lastColumn(line: string, columns: number): number | undefined {
  const column = Math.max(
    ...[...line.matchAll(/\S {2,}(?=\S)/g)].map((gap) => gap.index + gap[0].length),
    0,
  );
  return column > 0 && column <= columns * 0.6 ? column : undefined;
}

function lineIndent(line: string, columns: number): number {
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  return indent > 0 && indent < columns / 2 ? indent : 2;
}
