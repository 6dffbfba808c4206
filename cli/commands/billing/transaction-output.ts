import { once } from 'node:events';
import { stringifyExactAmounts, type Transaction } from '../../../clients/billing/index.js';
import { csvCells, csvColumns, csvLine } from '../../../clients/billing/transaction-csv.js';
import type { Dialect } from '../../../core/dialect/dialect.js';
import { terminalOutputOf } from '../../../core/text/terminal.js';
import type { CliIo } from '../../command.js';
import { fittingColumns, headerRow, formatRow, type SizedColumn } from '../../table.js';

const columns: readonly SizedColumn<Transaction>[] = [
  { title: 'DATE', width: 10, cell: ({ properties }) => properties.date?.slice(0, 10) },
  {
    title: 'TYPE',
    width: 12,
    omissionOrder: 4,
    cell: ({ properties }) => properties.transactionType,
  },
  {
    title: 'PRODUCT FAMILY',
    width: 16,
    omissionOrder: 3,
    cell: ({ properties }) => properties.productFamily,
  },
  {
    title: 'DESCRIPTION',
    width: 34,
    omissionOrder: 5,
    cell: ({ properties }) => properties.productDescription,
  },
  {
    title: 'SECTION',
    width: 20,
    omissionOrder: 2,
    cell: ({ properties }) => properties.invoiceSectionDisplayName,
  },
  {
    title: 'INVOICE',
    width: 12,
    omissionOrder: 1,
    cell: ({ properties }) => properties.invoice,
  },
  { title: 'AMOUNT', width: 18, align: 'right', cell: amountOf },
];

function amountOf({ properties }: Transaction): string | undefined {
  const amount = properties.transactionAmount;
  return amount && `${amount.value} ${amount.currency}`;
}

/**
 * Writes transactions while they are read: a table, a JSON list or CSV.
 *
 * @param dialect the dialect of the column names in CSV.
 * @returns the number of transactions.
 */
export async function writeTransactions(
  transactions: AsyncIterable<Transaction>,
  format: 'table' | 'json' | 'csv',
  { stdout, env }: Pick<CliIo, 'stdout' | 'env'>,
  dialect: Dialect,
): Promise<number> {
  if (format === 'json') return writeJson(transactions, stdout);
  const csvPaths = csvColumns(dialect);
  const { shownColumns, note } = fittingColumns(columns, terminalOutputOf(stdout, env));
  const head = format === 'csv' ? csvLine(csvPaths) : `${headerRow(shownColumns)}\n`;
  let count = 0;
  for await (const transaction of transactions) {
    // Starts writing only after the service has answered, so that an error leaves stdout empty.
    if (count++ === 0) await writeAndWait(stdout, head);
    await writeAndWait(
      stdout,
      format === 'csv'
        ? csvLine(csvCells(transaction, csvPaths))
        : `${formatRow(transaction, shownColumns)}\n`,
    );
  }
  if (count === 0) await writeAndWait(stdout, head);
  if (format === 'table') await writeAndWait(stdout, note);
  return count;
}

async function writeJson(
  transactions: AsyncIterable<Transaction>,
  stdout: NodeJS.WritableStream,
): Promise<number> {
  let count = 0;
  for await (const transaction of transactions) {
    await writeAndWait(
      stdout,
      `${count === 0 ? '[\n' : ',\n'}${stringifyExactAmounts(transaction)}`,
    );
    count += 1;
  }
  await writeAndWait(stdout, count === 0 ? '[]\n' : '\n]\n');
  return count;
}

/**
 * Writes to a stream no faster than its reader reads, so that a million lines never accumulate in
 * memory.
 */
async function writeAndWait(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}
