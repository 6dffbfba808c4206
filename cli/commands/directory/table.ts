/** A column: its title and what it shows of a row. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | null | undefined;
  /** Longer texts are cut. @default 40 */
  readonly width?: number;
}

/** Rows under their titles, each column as wide as it must be. Names come from elsewhere: what could steer a terminal is not printed. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = rows.map((row) => columns.map(({ cell, width = 40 }) => cut(cell(row) ?? '', width)));
  const widths = columns.map(({ title }, index) => Math.max(title.length, ...cells.map((row) => [...(row[index] ?? '')].length)));
  const line = (row: readonly string[]): string =>
    `${row.map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - [...cell].length)).join('  ')}`.trimEnd();
  return `${[line(columns.map(({ title }) => title)), ...cells.map(line)].join('\n')}\n`;
}

function cut(text: string, width: number): string {
  const characters = [...text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ')];
  return characters.length <= width ? characters.join('') : `${characters.slice(0, width - 1).join('')}\u2026`;
}
