/** A run of characters of one line with the same look. */
export interface Span {
  /** Of its first character, from 0. */
  readonly column: number;
  readonly text: string;
  /** Classes of the style sheet: `bold`, `red`. */
  readonly classes: readonly string[];
}

/** The classes of the SGR codes (ECMA-48, section 8.3.117) that the command line prints. */
const sgrClasses: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'magenta',
  36: 'cyan',
};
/** Escape sequences of terminals: SGR codes, links (OSC 8), others, and carriage returns. */
const escapeSequences =
  /\u001b\[([\d;]*)m|\u001b\]8;;[^\u001b]*\u001b\\|\u001b\[[0-9;?]*[A-Za-z]|\r/g;

/** The lines of a terminal's output, each as spans without blanks at their ends. */
export function spansOf(output: string): Span[][] {
  let classes: string[] = [];
  return output
    .trimEnd()
    .split('\n')
    .map((line) => {
      const spans: Span[] = [];
      let [column, from] = [0, 0];
      const addSpan = (part: string): void => {
        const text = part.trim();
        const blanks = part.length - part.trimStart().length;
        if (text !== '') spans.push({ column: column + blanks, text, classes });
        column += part.length;
      };
      for (const match of line.matchAll(escapeSequences)) {
        addSpan(line.slice(from, match.index));
        from = match.index + match[0].length;
        if (match[1] === undefined) continue;
        const addedClasses = match[1].split(';').flatMap((code) => sgrClasses[code] ?? []);
        classes = addedClasses.length === 0 ? [] : [...classes, ...addedClasses];
      }
      addSpan(line.slice(from));
      return spans;
    });
}
