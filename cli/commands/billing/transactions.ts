import { once } from 'node:events';
import { printExactly, type Transaction } from '../../../clients/billing/index.js';
import { csvCells, csvColumns, csvLine } from '../../../clients/billing/transaction.js';
import type { Dialect } from '../../../core/dialect/dialect.js';

const columns = [
  ['DATE', 10],
  ['TYPE', 12],
  ['PRODUCT FAMILY', 16],
  ['DESCRIPTION', 34],
  ['SECTION', 20],
  ['INVOICE', 12],
  ['AMOUNT', 18],
] as const;

/** Writes transactions as they come: a table, a JSON list or CSV. */
export async function writeTransactions(
  transactions: AsyncIterable<Transaction>,
  format: 'table' | 'json' | 'csv',
  stdout: NodeJS.WritableStream,
  dialect: Dialect,
): Promise<number> {
  if (format === 'json') return writeJson(transactions, stdout);
  const csv = csvColumns(dialect);
  const head = format === 'csv' ? csvLine(csv) : `${row(columns.map(([title]) => title))}\n`;
  let count = 0;
  for await (const transaction of transactions) {
    // Not before the service has answered: an error leaves stdout empty.
    if (count++ === 0) await write(stdout, head);
    await write(stdout, format === 'csv' ? csvLine(csvCells(transaction, csv)) : `${row(cellsOf(transaction))}\n`);
  }
  if (count === 0) await write(stdout, head);
  return count;
}

async function writeJson(transactions: AsyncIterable<Transaction>, stdout: NodeJS.WritableStream): Promise<number> {
  let count = 0;
  for await (const transaction of transactions) {
    await write(stdout, `${count === 0 ? '[\n' : ',\n'}${printExactly(transaction)}`);
    count += 1;
  }
  await write(stdout, count === 0 ? '[]\n' : '\n]\n');
  return count;
}

function cellsOf({ properties }: Transaction): readonly string[] {
  const { date, transactionType, productFamily, productDescription, invoiceSectionDisplayName, invoice, transactionAmount } = properties;
  const amount = transactionAmount === undefined ? '' : `${transactionAmount.value} ${transactionAmount.currency}`;
  return [date?.slice(0, 10), transactionType, productFamily, productDescription, invoiceSectionDisplayName, invoice, amount].map(
    (cell) => cell ?? '',
  );
}

/** Names come from elsewhere: what could steer a terminal is not printed. */
function row(cells: readonly string[]): string {
  return columns
    .map(([title, width], index) => {
      const cell = (cells[index] ?? '').replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
      return title === 'AMOUNT' ? cell.padStart(width) : cell.slice(0, width).padEnd(width);
    })
    .join('  ')
    .trimEnd();
}

/** Writes to a stream no faster than its reader takes it, so that a million lines never pile up in memory. */
async function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}
