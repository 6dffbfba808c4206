import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from '../common/http-client.js';
import { type ListRequest, type Page, pagesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import { inDialect, dialectWords } from '../../core/dialect/dialect.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { parseWithExactAmounts } from './exact-amounts.js';
import type { Transaction } from './transaction.js';

/** How the billing client reaches its service. */
export interface BillingClientOptions extends Omit<HttpClientOptions, 'baseUrl'> {
  /** @default 'https://management.azure.com' */
  readonly baseUrl?: string;
}

/**
 * Which transactions are wanted, in which order (Billing rules, "List transactions of an invoice").
 */
export interface TransactionQuery {
  /** The name of the billing account, the last segment of its id. */
  readonly billingAccount: string;
  /** The name of the invoice. */
  readonly invoice: string;
  /** A filter, such as `date ge 2026-01-01 and productFamily eq 'Storage'`. */
  readonly filter?: string;
  /** An order, such as `date desc, transactionAmount/value`. */
  readonly orderBy?: string;
  /** A word that some text of a transaction contains. */
  readonly search?: string;
  /** The page size, at most 50. */
  readonly top?: number;
  /** How many transactions to skip. @default 0 */
  readonly skip?: number;
  /** Asks for `totalCount` on each page. */
  readonly count?: boolean;
  /** Aborts the listing. */
  readonly signal?: AbortSignal;
}

/** The transactions of invoices, typed. */
export interface BillingClient {
  /**
   * Iterates over all transactions. Pages are fetched as they are read; breaking the loop stops the
   * requests.
   */
  transactions(query: TransactionQuery): AsyncGenerator<Transaction, void, undefined>;
  /** Iterates over the same transactions, one page at a time. */
  pages(query: TransactionQuery): AsyncGenerator<Page<Transaction>, void, undefined>;
  /** The underlying connection, for requests that have no method here. */
  readonly http: HttpClient;
}

const apiVersion = '2024-04-01';

/**
 * A client of the billing service: Castellan's own or the cloud's.
 *
 * @example
 * const billing = createBillingClient({ dialect: 'azure', credential: azureCliCredential() });
 * for await (const { properties } of billing.transactions({ billingAccount, invoice }))
 *   console.log(properties.transactionAmount);
 */
export function createBillingClient(options: BillingClientOptions): BillingClient {
  const { baseUrl = 'https://management.azure.com', ...httpOptions } = options;
  const scope =
    httpOptions.scope ??
    (httpOptions.dialect === 'azure' ? 'https://management.azure.com/.default' : undefined);
  const http = createHttpClient({ ...httpOptions, baseUrl, ...omitUndefined({ scope }) });
  const listRequest = ({
    billingAccount,
    invoice,
    signal,
    ...query
  }: TransactionQuery): ListRequest => ({
    path:
      `/providers/${inDialect(dialectWords.billingNamespace, http.dialect)}/billingAccounts/${segment(billingAccount)}` +
      `/invoices/${segment(invoice)}/transactions`,
    query: { 'api-version': apiVersion, ...query },
    parse: parseWithExactAmounts,
    ...omitUndefined({ signal }),
  });
  const pages = (query: TransactionQuery): AsyncGenerator<Page<Transaction>, void, undefined> =>
    pagesOf<Page<Transaction>>(http, listRequest(query));
  return {
    http,
    pages,
    async *transactions(query) {
      for await (const { value } of pages(query)) yield* value;
    },
  };
}

/**
 * Finds out which dialect a billing service speaks by probing its paths, without authenticating or
 * reading data.
 *
 * @returns `azure` when the neutral path is unknown.
 */
export async function detectBillingDialect(
  options: Pick<BillingClientOptions, 'fetch' | 'ca'> & { readonly baseUrl: string },
): Promise<'neutral' | 'azure'> {
  const http = createHttpClient({ ...options, retries: 1 });
  const path = `/providers/${dialectWords.billingNamespace.neutral}/billingAccounts/0/invoices/0/transactions`;
  const allStatuses = Array.from({ length: 400 }, (_, index) => 200 + index);
  const { status, body } = await http.request<{ error?: { code?: string } } | undefined>({
    method: 'GET',
    path,
    expect: allStatuses,
  });
  // The service answers 401 or 400 on its own paths, and 404 on unknown ones.
  return status === 401 ||
    status === 400 ||
    (status === 429 && body?.error?.code === 'TooManyRequests')
    ? 'neutral'
    : 'azure';
}
