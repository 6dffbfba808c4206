import { once } from 'node:events';
import { stringifyExactAmounts, type Transaction } from '../../../clients/billing/index.js';
import { csvCells, csvColumns, csvLine } from '../../../clients/billing/transaction-csv.js';
import type { Dialect } from '../../../core/dialect/dialect.js';
import { terminalOutputOf } from '../../../core/text/terminal.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { CliIo } from '../../command.js';
import { fittingColumns, headerRow, formatRow } from '../../table.js';

/** The title, width, omission order (see `Column`) and cell of each column. */
const columns = (
  [
    ['DATE', 10, undefined, ({ date }) => date?.slice(0, 10)],
    ['TYPE', 12, 4, ({ transactionType }) => transactionType],
    ['PRODUCT FAMILY', 16, 3, ({ productFamily }) => productFamily],
    ['DESCRIPTION', 34, 5, ({ productDescription }) => productDescription],
    ['SECTION', 20, 2, ({ invoiceSectionDisplayName }) => invoiceSectionDisplayName],
    ['INVOICE', 12, 1, ({ invoice }) => invoice],
    [
      'AMOUNT',
      18,
      undefined,
      ({ transactionAmount: amount }) => amount && `${amount.value} ${amount.currency}`,
    ],
  ] as const satisfies readonly [
    string,
    number,
    number | undefined,
    (properties: Transaction['properties']) => string | undefined,
  ][]
).map(([title, width, omitOrder, cell]) => ({
  title,
  width,
  ...omitUndefined({ omitOrder }),
  ...(title === 'AMOUNT' && { align: 'right' as const }),
  cell: ({ properties }: Transaction) => cell(properties),
}));

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
  const csv = csvColumns(dialect);
  const { fitting, note } = fittingColumns(columns, terminalOutputOf(stdout, env));
  const head = format === 'csv' ? csvLine(csv) : `${headerRow(fitting)}\n`;
  let count = 0;
  for await (const transaction of transactions) {
    // Starts writing only after the service has answered, so that an error leaves stdout empty.
    if (count++ === 0) await writeAndWait(stdout, head);
    await writeAndWait(
      stdout,
      format === 'csv'
        ? csvLine(csvCells(transaction, csv))
        : `${formatRow(transaction, fitting)}\n`,
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
