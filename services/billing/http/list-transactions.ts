import { sql } from 'kysely';
import { billingLimits } from '../../../kinds/transaction/limits.js';
import type { BillingRuntime } from '../runtime.js';
import { parseFilter } from '../query/filter-parser.js';
import { parseOrderBy } from '../query/order-parser.js';
import { countRows, listRows } from '../store/list.js';
import type { Selection } from '../store/plan.js';
import { readRows } from '../store/statements.js';
import { BillingError } from './errors.js';
import { readOptions } from './options.js';
import type { ListOptions } from './options.js';
import { readPageToken, writePageToken } from './page-token.js';

/** A request for a page of an invoice's transactions. */
export interface ListRequest {
  /** The service as the caller reached it; next links begin so. */
  readonly origin: string;
  readonly path: string;
  readonly account: string;
  readonly invoice: string;
  readonly query: URLSearchParams;
}

const accountPattern = new RegExp(billingLimits.billingAccountName);
const invoicePattern = new RegExp(billingLimits.invoiceName);

/**
 * One page as JSON in UTF-8 (spec 002, "TransactionListResult"), `totalCount` with `count=true`, `nextLink` where more follow.
 *
 * @throws BillingError 400 for names and options that aren't allowed, 404 for an invoice that isn't there.
 */
export async function listTransactions(runtime: BillingRuntime, request: ListRequest): Promise<Buffer> {
  const options = readOptions(request.query);
  checkName('billingAccountName', request.account, accountPattern);
  checkName('invoiceName', request.invoice, invoicePattern);
  const { database, names } = runtime;
  const order = options.orderBy.trim() === '' ? [] : parseOrderBy(options.orderBy, names);
  const filter = options.filter.trim() === '' ? undefined : parseFilter(options.filter, names);
  const listing = {
    account: request.account,
    invoice: request.invoice,
    filter: options.filter,
    orderBy: options.orderBy,
    search: options.search,
  };
  const after = options.skipToken === undefined ? undefined : readPageToken(options.skipToken, listing, order.length);
  const selection: Selection = {
    invoiceId: await findInvoice(runtime, request),
    order,
    ...(filter === undefined ? {} : { filter }),
    ...(options.search === '' ? {} : { search: options.search.toLowerCase() }),
  };
  const page = { skip: options.skip, limit: options.top === 0 ? 0 : options.top + 1, ...(after === undefined ? {} : { after }) };
  const rows = await listRows(database, selection, page);
  const shown = rows.slice(0, options.top);
  const last = shown[shown.length - 1];
  const value = await runtime.printed.print(shown.map(({ seq }) => seq));
  const members: string[] = [];
  if (options.count) members.push(`,"totalCount":${await countRows(database, selection)}`);
  if (rows.length > options.top && last !== undefined) {
    const token = writePageToken(listing, last);
    members.push(`,"nextLink":${JSON.stringify(nextLink(request, options, token))}`);
  }
  return Buffer.concat([Buffer.from('{"value":'), value, Buffer.from(`${members.join('')}}`)]);
}

/** The options go on with the link, but for `skip`: what was skipped stays behind. */
function nextLink({ origin, path, query }: ListRequest, options: ListOptions, token: string): string {
  const next = new URLSearchParams(query);
  next.delete('skip');
  next.set('top', String(options.top));
  next.set('skiptoken', token);
  return `${origin}${path}?${next.toString()}`;
}

function checkName(name: string, value: string, pattern: RegExp): void {
  if (pattern.test(value)) return;
  throw new BillingError(
    400,
    'InvalidParameter',
    `The ${name} ${JSON.stringify(value.slice(0, 100))} does not match the pattern ${pattern.source}.`,
    { target: name },
  );
}

async function findInvoice({ database, db }: BillingRuntime, { account, invoice }: ListRequest): Promise<number> {
  const place = sql`account = ${account.toLowerCase()} and name = ${invoice.toLowerCase()}`;
  const [found] = await readRows(database, sql`select id from billing_invoice where ${place}`, ['id']);
  if (found) return Number(found[0]);
  const invoices = db.selectFrom('billing_invoice').where('account', '=', account.toLowerCase());
  const known = await invoices.select('id').limit(1).executeTakeFirst();
  if (!known)
    throw new BillingError(404, 'BillingAccountNotFound', `The billing account ${account} could not be found.`, {
      target: 'billingAccountName',
    });
  throw new BillingError(404, 'ResourceNotFound', `The invoice ${invoice} could not be found in billing account ${account}.`, {
    target: 'invoiceName',
  });
}
