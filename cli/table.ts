import { wrapLines, type TerminalOutput } from '../core/text/terminal.js';

/** A column: its title and its cell for a row. */
export interface Column<Row> {
  readonly title: string;
  /** The text for a row; null and undefined leave the cell empty. */
  readonly cell: (row: Row) => string | null | undefined;
  /** The most characters: longer texts are cut. @default 40 */
  readonly maxWidth?: number;
  /**
   * When a narrow terminal omits this column: 1 is omitted first, 2 next.
   *
   * @default never omitted
   */
  readonly omissionOrder?: number;
  /** Right for numbers, which are never cut. @default left */
  readonly align?: 'right';
}

const defaultWidth = 40;

/** Rows with titles, each column as wide as needed. Control characters in names are not printed. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  screen: TerminalOutput,
): string {
  const sizedColumns = columns.map((column) => ({
    ...column,
    width: Math.max(
      column.title.length,
      ...rows.map(
        (row) => [...truncate(column.cell(row) ?? '', column.maxWidth ?? defaultWidth)].length,
      ),
    ),
  }));
  const { shownColumns, note } = fittingColumns(sizedColumns, screen);
  return `${[headerRow(shownColumns), ...rows.map((row) => formatRow(row, shownColumns))].join('\n')}\n${note}`;
}

/** A column whose width is known. */
export type SizedColumn<Row> = Column<Row> & { readonly width: number };

const gap = 2;

/** The columns that fit on the screen, and a note that names the others. */
export function fittingColumns<Row>(
  columns: readonly SizedColumn<Row>[],
  screen: TerminalOutput,
): { readonly shownColumns: readonly SizedColumn<Row>[]; readonly note: string } {
  let shownColumns = columns;
  const isTooWide = (): boolean =>
    shownColumns.reduce((sum, { width }) => sum + width + gap, -gap) > (screen.columns ?? Infinity);
  while (isTooWide() && shownColumns.some(({ omissionOrder }) => omissionOrder !== undefined)) {
    const nextOmission = Math.min(
      ...shownColumns.map(({ omissionOrder = Infinity }) => omissionOrder),
    );
    shownColumns = shownColumns.filter(({ omissionOrder }) => omissionOrder !== nextOmission);
  }
  const omittedTitles = columns
    .filter((column) => !shownColumns.includes(column))
    .map(({ title }) => title);
  return {
    shownColumns,
    note:
      omittedTitles.length === 0
        ? ''
        : wrapLines(
            `(a wider terminal, or --format json, also shows ${omittedTitles.join(', ')})\n`,
            screen,
          ),
  };
}

/** The line with the titles of the columns. */
export function headerRow<Row>(columns: readonly SizedColumn<Row>[]): string {
  return joinCells(columns.map((column) => pad(column.title, column)));
}

/** The line with the cells of a row. */
export function formatRow<Row>(row: Row, columns: readonly SizedColumn<Row>[]): string {
  return joinCells(
    columns.map((column) =>
      pad(
        column.align === 'right'
          ? (column.cell(row) ?? '')
          : truncate(column.cell(row) ?? '', column.width),
        column,
      ),
    ),
  );
}

function joinCells(cells: readonly string[]): string {
  return cells.join(' '.repeat(gap)).trimEnd();
}

function pad<Row>(text: string, { width, align }: SizedColumn<Row>): string {
  const blanks = ' '.repeat(Math.max(0, width - [...text].length));
  return align === 'right' ? blanks + text : text + blanks;
}

function truncate(text: string, width: number): string {
  const characters = [
    ...text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' '),
  ];
  return characters.length <= width
    ? characters.join('')
    : `${characters.slice(0, width - 1).join('')}\u2026`;
}
