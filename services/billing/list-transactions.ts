import { createHash } from 'node:crypto';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { transaction } from '../../kinds/transaction/transaction.js';
import type { Answer, Call } from '../common/call.js';
import { readPageToken, writePageToken } from '../common/page-token.js';
import { BillingError, invalidParameter } from './errors.js';
import { parseFilter } from './query/filter.js';
import { parseOrderBy } from './query/order.js';
import type { FindField } from './store/fields.js';
import type { Position, TransactionStore } from './store/transaction-store.js';

/** The context of the service's operations. */
export interface BillingRuntime {
  readonly store: TransactionStore;
  /** Finds the fields by the dialect's names. */
  readonly findField: FindField;
}

const patterns = {
  billingAccountName: new RegExp(transaction.limits.billingAccountName),
  invoiceName: new RegExp(transaction.limits.invoiceName),
};

/**
 * Returns a page of an invoice's transactions: `value`, `totalCount` with `count=true`, and
 * `nextLink` if there are more.
 *
 * @throws BillingError 400 for invalid names and options, 404 for an unknown invoice.
 */
export async function listTransactions(call: Call<BillingRuntime>): Promise<Answer> {
  const { store, findField } = call.runtime;
  const { account = '', invoice = '' } = call.params;
  const options = readOptions(call.query);
  checkName('billingAccountName', account);
  checkName('invoiceName', invoice);
  const order = options.orderBy.trim() === '' ? [] : parseOrderBy(options.orderBy, findField);
  const filter = options.filter.trim() === '' ? undefined : parseFilter(options.filter, findField);
  const listing = { ...options, account, invoice };
  const after =
    options.skipToken === undefined
      ? undefined
      : positionInToken(options.skipToken, listing, order.length);
  const selection = {
    invoiceId: await requireInvoiceId(call.runtime, account, invoice),
    order,
    ...omitUndefined({ filter }),
    ...(options.search !== '' && { search: options.search.toLowerCase() }),
  };
  const { top, skip } = options;
  const positions =
    top === 0
      ? []
      : await store.list(selection, {
          skip,
          limit: top + 1,
          ...omitUndefined({ after }),
        });
  const page = positions.slice(0, top);
  const lastPosition = page.at(-1);
  const otherMembers: Record<string, unknown> = {};
  if (options.count) otherMembers['totalCount'] = await store.count(selection);
  // The link has all options but `skip`, which applies to the first page only.
  if (positions.length > top && lastPosition !== undefined)
    otherMembers['nextLink'] = call.linkWith({
      skip: undefined,
      top: String(top),
      skiptoken: writePageToken([listingDigest(listing), lastPosition.seq, ...lastPosition.values]),
    });
  // Transactions are stored as JSON whose amounts have more digits than a JavaScript number: the
  // text is sent unchanged.
  const documents = await store.documents(page.map(({ seq }) => seq));
  const members = JSON.stringify(otherMembers).slice(1, -1);
  const body = `{"value":[${documents.join(',')}]${members === '' ? '' : `,${members}`}}`;
  return { status: 200, body, contentType: 'application/json; charset=utf-8' };
}

function checkName(name: keyof typeof patterns, value: string): void {
  const pattern = patterns[name];
  if (!pattern.test(value))
    throw invalidParameter(
      name,
      `The ${name} ${JSON.stringify(value.slice(0, 100))} does not match the pattern ${pattern.source}.`,
    );
}

async function requireInvoiceId(
  { store }: BillingRuntime,
  account: string,
  invoice: string,
): Promise<number> {
  const row = await store.findInvoice(account, invoice);
  if (row !== undefined) return row.id;
  if (!(await store.hasAccount(account)))
    throw new BillingError(
      404,
      'BillingAccountNotFound',
      `The billing account ${account} could not be found.`,
      {
        target: 'billingAccountName',
      },
    );
  throw new BillingError(
    404,
    'ResourceNotFound',
    `The invoice ${invoice} could not be found in billing account ${account}.`,
    {
      target: 'invoiceName',
    },
  );
}

/**
 * The checked query options of the listing; `filter`, `orderBy` and `search` are not parsed yet.
 */
interface ListOptions {
  readonly filter: string;
  readonly orderBy: string;
  readonly search: string;
  /** @default 50 */
  readonly top: number;
  readonly skip: number;
  /** Whether the answer states the number of all rows. */
  readonly count: boolean;
  /** The token of a next link. */
  readonly skipToken: string | undefined;
}

/** Parses the query options of the listing. @throws BillingError 400 naming the option. */
function readOptions(query: URLSearchParams): ListOptions {
  const singleValue = (name: string): string | undefined => {
    const values = query.getAll(name);
    if (values.length > 1)
      throw invalidParameter(name, `The query option "${name}" is given ${values.length} times.`);
    return values[0];
  };
  checkVersion(singleValue('api-version') ?? '');
  const { maximum } = transaction.limits.top;
  const top = parseInteger('top', singleValue('top')) ?? maximum;
  if (top > maximum)
    throw invalidParameter(
      'top',
      `The query option "top" is ${top}; at most ${maximum} are allowed.`,
    );
  const count = singleValue('count');
  if (count !== undefined && !/^(true|false)$/i.test(count))
    throw invalidParameter(
      'count',
      `The query option "count" is ${JSON.stringify(count)}; true and false are allowed.`,
    );
  return {
    filter: singleValue('filter') ?? '',
    orderBy: singleValue('orderBy') ?? '',
    search: singleValue('search') ?? '',
    top,
    skip: parseInteger('skip', singleValue('skip')) ?? 0,
    count: count?.toLowerCase() === 'true',
    skipToken: singleValue('skiptoken'),
  };
}

function checkVersion(version: string): void {
  const { apiVersion } = transaction.limits;
  const supported = `The supported version is '${apiVersion}'.`;
  if (version === '')
    throw invalidParameter(
      'api-version',
      `The query option "api-version" is required. ${supported}`,
      'MissingApiVersionParameter',
    );
  if (version !== apiVersion)
    throw invalidParameter(
      'api-version',
      `The api-version '${version}' is not supported. ${supported}`,
      'InvalidApiVersionParameter',
    );
}

/** The largest signed 64-bit integer. */
const maxInt64 = 2n ** 63n - 1n;

function parseInteger(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || BigInt(text) > maxInt64)
    throw invalidParameter(
      name,
      `The query option "${name}" is ${JSON.stringify(text)}; an integer from 0 to ${maxInt64} is allowed.`,
    );
  // No listing is longer, and the databases accept no larger number.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** What selects and orders the rows of a page. */
interface Listing extends Pick<ListOptions, 'filter' | 'orderBy' | 'search'> {
  /** The billing account's name, as in the request's path. */
  readonly account: string;
  /** The invoice's name, as in the request's path. */
  readonly invoice: string;
}

/**
 * Decodes the position in a token.
 *
 * @throws BillingError 400 for an invalid token, or one of another listing.
 */
function positionInToken(token: string, listing: Listing, orderKeyCount: number): Position {
  const parsed = readPageToken(token);
  if (Array.isArray(parsed)) {
    const [digest, seq, ...values] = parsed as unknown[];
    const isOfListing =
      digest === listingDigest(listing) &&
      Number.isSafeInteger(seq) &&
      values.length === orderKeyCount;
    if (isOfListing && values.every((value) => typeof value === 'string'))
      return { seq: seq as number, values };
  }
  throw invalidParameter(
    'skiptoken',
    'The skip token is not one of this listing.',
    'InvalidSkipToken',
  );
}

function listingDigest(listing: Listing): string {
  const parts = [
    listing.account.toLowerCase(),
    listing.invoice.toLowerCase(),
    listing.filter,
    listing.orderBy,
    listing.search,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
