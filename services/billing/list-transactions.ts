import { transaction } from '../../kinds/transaction/transaction.js';
import type { Answer, Call } from '../common/call.js';
import { BillingError, invalidParameter } from './errors.js';
import { readOptions } from './options.js';
import { readPageToken, writePageToken } from './page-token.js';
import { parseFilter } from './query/filter.js';
import { parseOrderBy } from './query/order.js';
import type { BillingRuntime } from './runtime.js';

const patterns = {
  billingAccountName: new RegExp(transaction.limits.billingAccountName),
  invoiceName: new RegExp(transaction.limits.invoiceName),
};

/**
 * One page of an invoice's transactions: `value`, `totalCount` with `count=true`, `nextLink` where more follow.
 *
 * @throws BillingError 400 for names and options that aren't allowed, 404 for an invoice that doesn't exist.
 */
export async function listTransactions(call: Call<BillingRuntime>): Promise<Answer> {
  const { store, names } = call.runtime;
  const { account = '', invoice = '' } = call.params;
  const options = readOptions(call.query);
  checkName('billingAccountName', account);
  checkName('invoiceName', invoice);
  const order = options.orderBy.trim() === '' ? [] : parseOrderBy(options.orderBy, names);
  const filter = options.filter.trim() === '' ? undefined : parseFilter(options.filter, names);
  const listing = { account, invoice, filter: options.filter, orderBy: options.orderBy, search: options.search };
  const after = options.skipToken === undefined ? undefined : readPageToken(options.skipToken, listing, order.length);
  const selection = {
    invoiceId: await findInvoice(call.runtime, account, invoice),
    order,
    ...(filter === undefined ? {} : { filter }),
    ...(options.search === '' ? {} : { search: options.search.toLowerCase() }),
  };
  const { top, skip } = options;
  const places = top === 0 ? [] : await store.list(selection, { skip, limit: top + 1, ...(after === undefined ? {} : { after }) });
  const page = places.slice(0, top);
  const last = page.at(-1);
  const rest: Record<string, unknown> = {};
  if (options.count) rest['totalCount'] = await store.count(selection);
  // The options go on with the link, but for `skip`: what was skipped stays behind.
  if (places.length > top && last !== undefined)
    rest['nextLink'] = call.linkWith({ skip: undefined, top: String(top), skiptoken: writePageToken(listing, last) });
  // Transactions are stored as JSON whose amounts have more digits than a number of JavaScript: their text is sent as it is.
  const documents = await store.documents(page.map(({ seq }) => seq));
  const members = JSON.stringify(rest).slice(1, -1);
  const body = `{"value":[${documents.join(',')}]${members === '' ? '' : `,${members}`}}`;
  return { status: 200, body, contentType: 'application/json; charset=utf-8' };
}

function checkName(name: keyof typeof patterns, value: string): void {
  const pattern = patterns[name];
  if (!pattern.test(value))
    throw invalidParameter(name, `The ${name} ${JSON.stringify(value.slice(0, 100))} does not match the pattern ${pattern.source}.`);
}

async function findInvoice({ store }: BillingRuntime, account: string, invoice: string): Promise<number> {
  const id = await store.findInvoice(account, invoice);
  if (id !== undefined) return id;
  if (!(await store.hasAccount(account)))
    throw new BillingError(404, 'BillingAccountNotFound', `The billing account ${account} could not be found.`, {
      target: 'billingAccountName',
    });
  throw new BillingError(404, 'ResourceNotFound', `The invoice ${invoice} could not be found in billing account ${account}.`, {
    target: 'invoiceName',
  });
}
