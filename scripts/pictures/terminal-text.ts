/** A run of characters of one line with the same look. */
export interface Span {
  readonly column: number;
  readonly text: string;
  readonly classes: readonly string[];
}

const classOf: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'magenta',
  36: 'cyan',
};
const sequences = /\u001b\[([\d;]*)m|\u001b\]8;;[^\u001b]*\u001b\\|\u001b\[[0-9;?]*[A-Za-z]|\r/g;

/** The lines of what a terminal was sent, each as spans; blanks at either end are left out. */
export function spansOf(output: string): Span[][] {
  let classes: string[] = [];
  return output
    .trimEnd()
    .split('\n')
    .map((line) => {
      const spans: Span[] = [];
      let [column, from] = [0, 0];
      const take = (part: string): void => {
        const text = part.trim();
        const blanks = part.length - part.trimStart().length;
        if (text !== '') spans.push({ column: column + blanks, text, classes });
        column += part.length;
      };
      for (const found of line.matchAll(sequences)) {
        take(line.slice(from, found.index));
        from = found.index + found[0].length;
        if (found[1] === undefined) continue;
        const added = found[1].split(';').flatMap((code) => classOf[code] ?? []);
        classes = added.length === 0 ? [] : [...classes, ...added];
      }
      take(line.slice(from));
      return spans;
    });
}
