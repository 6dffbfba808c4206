import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { type Database, openDatabase } from '../../services/common/database.js';
import { createHttpServer, mountService } from '../../services/common/http-server.js';
import type { SqliteStatement } from '../../services/common/sqlite.js';
import { createBillingService } from '../../services/billing/index.js';
import { serviceContext } from '../service-context.js';

/**
 * The invoices of the benchmark: one with the given number of transactions, one with a thousand.
 */
export const invoices = { large: 'G000000001', small: 'G000000002' } as const;

/** The billing service with the data set. */
export interface OpenedDataSet {
  readonly database: Database;
  /** The HTTP server of the service, which is called without a port. */
  readonly app: FastifyInstance;
  /** A page of an invoice by its query options. */
  page(
    invoice: string,
    query: string,
  ): Promise<{
    readonly nextLink?: string;
    /** Of all transactions that match, where the query has `count=true`. */
    readonly totalCount?: number;
    readonly value: unknown[];
  }>;
  close(): Promise<void>;
}

/**
 * Opens the data set in a file, and fills it if it is new: takes seconds for a hundred thousand,
 * minutes for a million.
 */
export async function openDataSet(file: string, count: number): Promise<OpenedDataSet> {
  const isNew = !existsSync(file);
  const database = await openDatabase(`sqlite:${file}`);
  const service = await createBillingService(serviceContext(database));
  const start = performance.now();
  const generate = (invoice: string, size: number): object => ({
    billingAccount: '1',
    invoice,
    generate: { count: size, seed: 'bench' },
  });
  await service.seed({
    billing: [generate(invoices.small, 1000), generate(invoices.large, count)] as never,
  });
  if (isNew)
    console.log(
      `${count} transactions generated and stored in ${((performance.now() - start) / 1000).toFixed(1)} s`,
    );
  const app = createHttpServer();
  mountService(app, service);
  await app.ready();
  return {
    database,
    app,
    async page(invoice, query) {
      const path = `/providers/Svc.Billing/billingAccounts/1/invoices/${invoice}/transactions?api-version=2024-04-01${query}`;
      const answer = await app.inject(path);
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return answer.json();
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}

/** The filtered and sorted page that is compared with its bare SQL. */
export const pageOptions =
  option('filter', "productFamily eq 'Storage'") +
  option('orderBy', 'transactionAmount/value desc');

/**
 * The bare SQL of that page, with the index that the service created for it.
 *
 * @param page `next` starts after a row, whose amount and `seq` are the parameters
 */
export function prepareBarePage(database: Database, page: 'first' | 'next'): SqliteStatement {
  const isNext = page === 'next';
  if (!database.sqlite) throw new Error('the bench reads SQLite only');
  const index = database.sqlite
    .prepare("select name from sqlite_master where name like 'billing_equal_%'")
    .get() as { name: string };
  return database.sqlite.prepare(
    `select document${isNext ? ', f_transaction_amount_value, t.seq' : ''}
     from billing_transaction t indexed by ${index.name} join billing_document d on d.seq = t.seq
     where invoice_id = (select id from billing_invoice where name = '${invoices.large.toLowerCase()}') and f_product_family = '=Storage'
     ${isNext ? 'and (f_transaction_amount_value, t.seq) < (?, ?)' : ''} order by f_transaction_amount_value desc, t.seq desc limit 51`,
  );
}

/** A query option with an encoded value: `&name=value`. */
export function option(name: string, value: string): string {
  return `&${name}=${encodeURIComponent(value)}`;
}
