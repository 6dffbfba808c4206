import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { systemClock } from '../../services/common/clock.js';
import { openDatabase } from '../../services/common/database.js';
import { createHttpServer, mountService } from '../../services/common/http-server.js';
import { noAuthentication } from '../../services/common/token-verifier.js';
import { createBillingService } from '../../services/billing/index.js';

/**
 * How fast pages of an invoice come: `node bench/run.js billing [count]`. Compares the service with the bare SQL of the same page, and
 * the first page of a large invoice with that of a small one.
 */
export async function benchBilling(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
  const database = await openDatabase(`sqlite:${join(folder, 'billing.db')}`);
  const service = await createBillingService({
    database,
    dialect: 'neutral',
    clock: systemClock,
    tokens: noAuthentication,
    throttle: false,
    longRunning: { mode: 'never', seed: '', seconds: 0 },
  });
  const [large, small] = ['G000000001', 'G000000002'];
  const loading = performance.now();
  await service.seed({ billing: [{ billingAccount: '1', invoice: small, generate: { count: 1000, seed: 'bench' } }] });
  await service.seed({ billing: [{ billingAccount: '1', invoice: large, generate: { count, seed: 'bench' } }] });
  console.log(`${count} transactions generated and stored in ${((performance.now() - loading) / 1000).toFixed(1)} s`);
  const server = createHttpServer();
  mountService(server, service);
  await server.ready();
  const get = async (invoice: string, query: string): Promise<{ nextLink?: string; value: unknown[] }> => {
    const path = `/providers/Svc.Billing/billingAccounts/1/invoices/${invoice}/transactions?api-version=2024-04-01${query}`;
    return (await server.inject(path)).json<{ nextLink?: string; value: unknown[] }>();
  };
  const ordered = `&filter=${encodeURIComponent("productFamily eq 'Storage'")}&orderBy=${encodeURIComponent('transactionAmount/value desc')}`;
  await get(large, ordered); // makes the index of this ordering

  const index = database.sqlite?.prepare("select name from sqlite_master where name like 'billing_order_%'").get() as { name: string };
  const bare = database.sqlite?.prepare(
    `select * from billing_transaction indexed by ${index.name} where invoice_id = (select id from billing_invoice where name = '${large.toLowerCase()}')
     and f_product_family = '=Storage' order by f_transaction_amount_value desc, seq desc limit 51`,
  );
  await report('bare SQL, filtered and ordered', () => Promise.resolve(bare?.all()));
  await report('service, filtered and ordered', () => get(large, ordered));
  await report('first page of 1,000', () => get(small, ''));
  await report(`first page of ${count}`, () => get(large, ''));
  await report('ordered by date, first page', () => get(large, '&orderBy=date%20desc'));
  const late = await lateLink(get, large, Math.floor(count * 0.9));
  await report('ordered by date, a page at nine tenths', async () => (await server.inject(late)).json());
  await server.close();
  await database.close();
  rmSync(folder, { recursive: true });
}

/** The link to a page far behind. */
async function lateLink(
  get: (invoice: string, query: string) => Promise<{ nextLink?: string }>,
  invoice: string,
  skip: number,
): Promise<string> {
  const { nextLink = '' } = await get(invoice, `&orderBy=date%20desc&skip=${skip}`);
  const { pathname, search } = new URL(nextLink);
  return pathname + search;
}

/** Median and 99th percentile of 300 runs after 30 to warm up, in milliseconds. */
async function report(title: string, run: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 330; round++) {
    const start = performance.now();
    await run();
    if (round >= 30) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? NaN).toFixed(2);
  console.log(`${title.padEnd(44)} p50 ${at(0.5).padStart(7)} ms   p99 ${at(0.99).padStart(7)} ms`);
}
