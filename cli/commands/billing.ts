import type { Command } from 'commander';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { Finding } from '../../core/findings/finding.js';
import { terminalOutputOf } from '../../core/text/terminal.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { TransactionQuery } from '../../clients/billing/index.js';
import { summarize, summaryToJson } from '../../clients/billing/summary/spend-summary.js';
import { parseBudgets } from '../../policies/check/budget/budget.js';
import { trackBudgets } from '../../policies/check/budget/check-budgets.js';
import { ChoiceOption } from '../choice-option.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, formatOf, printText } from '../format.js';
import { readInput, writeOutput } from '../files.js';
import { connectBilling } from '../services/service-clients.js';
import { writeTransactions } from './billing/transaction-output.js';
import type { ServiceFlags } from '../services/service-options.js';

interface InvoiceFlags extends ServiceFlags {
  readonly account: string;
  readonly invoice: string;
  /** Which transactions, such as `date ge 2026-01-01`. @default all */
  readonly filter?: string;
  readonly search?: string;
}

interface TransactionsFlags extends InvoiceFlags {
  readonly orderBy?: string;
  readonly limit?: string;
  readonly format?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

interface SummaryFlags extends InvoiceFlags {
  readonly format?: string;
  readonly json?: boolean;
  readonly svg?: string;
  readonly html?: string;
  /** The YAML file with budgets to compare the invoice with. */
  readonly budget?: string;
}

/** `castellan billing transactions|summary`: the transactions of an invoice, and their sums. */
export const register: RegisterCommand = (program, io, done) => {
  const billing = program
    .command('billing')
    .description('List and sum up the transactions of an invoice.');
  addFormat(
    addInvoiceOptions(
      billing.command('transactions').description('List transactions, all pages, as they come.'),
    ),
    ['text', 'json', 'csv'],
  )
    .option('--order-by <keys>', 'such as "date desc, transactionAmount/value"')
    .option('--limit <count>', 'stop after so many')
    .option('--csv', 'short for --format csv: every field; the billing service imports the same')
    .action(async (flags: TransactionsFlags) => done(await listTransactions(flags, io)));
  addFormat(
    addInvoiceOptions(
      billing
        .command('summary')
        .description('Sum up by product family, section and month, with a chart.'),
    ),
  )
    .option('--svg <file>', 'draw the chart into a file')
    .option('--html <file>', 'the same as a page')
    .option(
      '--budget <file>',
      'YAML with budgets; one that is exceeded, or will be, is a finding (exit code 1)',
    )
    .action(async (flags: SummaryFlags) => done(await summarizeInvoice(flags, io)));
};

function addInvoiceOptions(command: Command): Command {
  return command
    .requiredOption('--account <name>', 'the billing account')
    .requiredOption('--invoice <name>', 'the invoice')
    .option('--filter <filter>', `such as "date ge 2026-01-01 and productFamily eq 'Storage'"`)
    .option('--search <text>', 'only transactions with a text that holds this')
    .option(
      '--endpoint <url>',
      'the billing service (default: the sandbox of the environment or of this folder, else the cloud)',
    )
    .option('-e, --environment <name>', 'the environment whose sandbox is asked')
    .addOption(
      new ChoiceOption(
        '--dialect <dialect>',
        ['neutral', 'azure'],
        'neutral or azure (default: what the service speaks)',
      ),
    )
    .option(
      '--ca <file>',
      'certificate(s) of a private authority, PEM (default: SSL_CERT_FILE, NODE_EXTRA_CA_CERTS)',
    );
}

/** Which transactions a command reads. */
function transactionQuery({ account, invoice, filter, search }: InvoiceFlags): TransactionQuery {
  return {
    billingAccount: account,
    invoice,
    ...omitUndefined({ filter, search }),
  };
}

async function listTransactions(flags: TransactionsFlags, io: CliIo): Promise<number> {
  if (flags.csv && (flags.json || (flags.format ?? 'csv') !== 'csv'))
    throw new CastellanError('CAS8001', '--csv is short for --format csv');
  const format = flags.csv ? 'csv' : formatOf(flags, ['text', 'json', 'csv']);
  const limit = flags.limit === undefined ? Infinity : Number(flags.limit);
  if (!(limit === Infinity || (Number.isInteger(limit) && limit > 0)))
    throw new CastellanError(
      'CAS8001',
      `--limit ${flags.limit ?? ''}: must be an integer of at least 1`,
    );
  const { client, dialect } = await connectBilling(flags, io);
  const { orderBy } = flags;
  const query = {
    ...transactionQuery(flags),
    top: Math.min(limit, 50),
    ...omitUndefined({ orderBy }),
  };
  const count = await writeTransactions(
    takeFirst(client.transactions(query), limit),
    format === 'text' ? 'table' : format,
    io,
    dialect,
  );
  if (format === 'text') printText(io.stderr, `${count} transactions\n`);
  return exitCodes.clean;
}

async function* takeFirst<T>(
  entries: AsyncIterable<T>,
  limit: number,
): AsyncGenerator<T, void, undefined> {
  let count = 0;
  for await (const entry of entries) {
    yield entry;
    if (++count >= limit) return;
  }
}

async function summarizeInvoice(flags: SummaryFlags, io: CliIo): Promise<number> {
  const format = formatOf(flags);
  const budgets = trackBudgets(
    flags.budget === undefined ? [] : parseBudgets(readInput(io, flags.budget), flags.budget),
  );
  const { client } = await connectBilling(flags, io);
  const summary = await summarize(client.transactions(transactionQuery(flags)), (spend) =>
    budgets.add(spend),
  );
  const findings = budgets.findings();
  const { renderSummarySvg } = await import('../../clients/billing/summary/summary-svg.js');
  const { renderSummaryPage } = await import('../../clients/billing/summary/summary-page.js');
  if (flags.svg !== undefined) writeOutput(io, flags.svg, renderSummarySvg(summary));
  if (flags.html !== undefined) writeOutput(io, flags.html, renderSummaryPage(summary));
  if (format === 'json') {
    io.stdout.write(
      `${JSON.stringify({ ...summaryToJson(summary), ...(flags.budget !== undefined && { findings }) }, null, 2)}\n`,
    );
  } else {
    const { renderSummaryText } = await import('../../clients/billing/summary/summary-text.js');
    printText(
      io.stdout,
      renderSummaryText(summary, Math.min(terminalOutputOf(io.stdout, io.env).columns ?? 100, 120)),
    );
    printText(io.stdout, findings.map(findingLine).join(''));
  }
  return findings.some(({ verdict }) => verdict === 'fail') ? exitCodes.findings : exitCodes.clean;
}

function findingLine({ location, severity, message, ruleId }: Finding): string {
  return `${location?.file ?? ''}:${location?.line ?? 1}:${location?.column ?? 1}: ${severity} ${ruleId}: ${message}\n`;
}
