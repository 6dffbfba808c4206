import { TransactionError } from '../store/stored-transaction.js';
import { type Field, fieldsByName } from '../store/fields.js';

/**
 * Parses CSV (RFC 4180): quoted fields may contain commas, doubled quotes and line breaks; a byte
 * order mark is skipped.
 *
 * @returns the rows including the header, without empty lines.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.length > 1 || row[0] !== '') rows.push(row);
    [row, cell] = [[], ''];
  };
  for (let index = text.startsWith('\uFEFF') ? 1 : 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(index + 1) === '"') cell += text.charAt(index++);
      else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === ',') {
      row.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  if (isQuoted) throw new TransactionError('the last quoted field has no closing quote');
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/**
 * Converts CSV to transactions: each column is a field, bare (`date`, `transactionAmount.value`) or
 * below `properties`, with dots or slashes; `tags.KEY` is a tag, `tags` all of them as JSON. Empty
 * cells are absent fields.
 *
 * @throws TransactionError that names the column or the row.
 */
export function transactionsFromCsv(
  text: string,
  fields: readonly Field[],
): Record<string, unknown>[] {
  const [header = [], ...rows] = parseCsv(text);
  const fieldByName = fieldsByName(fields, '.');
  const columns = header.map((name) => {
    const path = name.trim().replaceAll('/', '.');
    if (path === 'tags') return { path: ['tags'], kind: 'json' as const };
    if (path.startsWith('tags.'))
      return { path: ['tags', path.slice('tags.'.length)], kind: 'text' as const };
    const field = fieldByName.get(path);
    if (!field)
      throw new TransactionError(
        `the column ${JSON.stringify(name)} is not a field of a transaction`,
      );
    return field;
  });
  return rows.map((row, index) => {
    if (row.length !== columns.length)
      throw new TransactionError(
        `row ${index + 2} has ${row.length} cells, the header ${columns.length}`,
      );
    const transaction: Record<string, unknown> = {};
    columns.forEach(({ path, kind }, column) =>
      setAtPath(transaction, path, parseCell(row[column] ?? '', kind)),
    );
    return transaction;
  });
}

function parseCell(cell: string, kind: Field['kind'] | 'json'): unknown {
  if (cell === '') return undefined;
  if (kind === 'json') return parseTags(cell);
  if (kind === 'boolean' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  if (kind === 'integer' && /^-?\d+$/.test(cell)) return Number(cell);
  return cell; // amounts stay text, so that no digit is lost
}

function parseTags(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown;
  } catch (error) {
    throw new TransactionError(`tags must be a JSON object: ${(error as Error).message}`);
  }
}

function setAtPath(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  if (value === undefined) return;
  let parent = target;
  for (const segment of path.slice(0, -1))
    parent = (parent[segment] ??= {}) as Record<string, unknown>;
  parent[path[path.length - 1] ?? ''] = value;
}
