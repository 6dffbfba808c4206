import { performance } from 'node:perf_hooks';
import { pageOptions, invoices, type OpenedDataSet, option, prepareBarePage } from './data-set.js';
import type { ServerProcess } from './server-process.js';

/**
 * Measures pages from the billing service (services/billing), which lists the transactions of
 * invoices, in its own process: a filtered and sorted one against the bare SQL of the same page in
 * this process, with the same index, and against the floor, both repeated and page after page; the
 * first page of the large invoice against that of the small one; a late page against an early one.
 */
export async function benchPages(
  { database, page }: OpenedDataSet,
  { get, getFloor }: ServerProcess,
  count: number,
): Promise<void> {
  const { large, small } = invoices;
  await page(large, pageOptions); // creates the index of this order
  const firstBarePage = prepareBarePage(database, 'first');
  const path = (invoice: string, query: string): string =>
    `/providers/Svc.Billing/billingAccounts/1/invoices/${invoice}/transactions?api-version=2024-04-01${query}`;
  const pathOfLatePage = async (): Promise<string> => {
    const { nextLink = '' } = await page(
      large,
      `${option('orderBy', 'date desc')}&skip=${Math.floor(count * 0.9)}`,
    );
    const { pathname, search } = new URL(nextLink);
    return pathname + search;
  };
  const latePage = await pathOfLatePage();
  const nextBarePage = prepareBarePage(database, 'next');
  // sorts after every stored amount, so that the first row comes next in descending order
  const beforeFirst = ['3', Number.MAX_SAFE_INTEGER] as const;
  let lastRow: readonly [amount: string, seq: number] = beforeFirst;
  const readNextBarePage = (): void => {
    const row = nextBarePage.all(lastRow)[pageSize - 1] as
      { f_transaction_amount_value: string; seq: number } | undefined;
    lastRow = row === undefined ? beforeFirst : [row.f_transaction_amount_value, row.seq];
  };
  let link = path(large, pageOptions);
  const getNextPage = async (): Promise<void> => {
    // The `nextLink` is the last member of a page: parsing the rest would be the client's work.
    const next = /"nextLink":"https?:\/\/[^/]+([^"]+)"/.exec(
      (await get(link)).subarray(-2000).toString(),
    );
    link = next?.[1] ?? path(large, pageOptions);
  };
  await compare([
    ['bare SQL, filtered and ordered', () => Promise.resolve(firstBarePage.all())],
    ['a plain fastify with that SQL', getFloor],
    ['the service, filtered and ordered', () => get(path(large, pageOptions))],
    ['bare SQL, page after page', () => Promise.resolve(readNextBarePage())],
    ['the service, page after page', getNextPage],
    ['first page of 1,000', () => get(path(small, ''))],
    [`first page of ${count}`, () => get(path(large, ''))],
    ['ordered by date, first page', () => get(path(large, option('orderBy', 'date desc')))],
    ['ordered by date, a page at nine tenths', () => get(latePage)],
  ]);
}

/** The first rounds do not count: the engine is still compiling. */
const [warmUpRounds, countedRounds] = [2500, 2000];
const maxDurationMs = 90_000;
/** The rows of a page. */
const pageSize = 50;

/**
 * The median and 99th percentile in milliseconds. The requests alternate, so that disturbances of
 * the machine affect all of them, and each starts when this process has finished the one before.
 */
async function compare(
  requests: readonly (readonly [title: string, send: () => Promise<unknown>])[],
): Promise<void> {
  const times = requests.map((): number[] => []);
  const deadline = performance.now() + maxDurationMs;
  const rounds = warmUpRounds + countedRounds;
  for (let round = 0; round < rounds && performance.now() < deadline; round++)
    for (const [index, [, send]] of requests.entries()) {
      await new Promise((done) => setImmediate(done));
      const start = performance.now();
      await send();
      if (round >= warmUpRounds) times[index]?.push(performance.now() - start);
    }
  for (const [index, [title]] of requests.entries()) {
    const sorted = (times[index] ?? []).sort((a, b) => a - b);
    const quantileText = (share: number): string =>
      (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(2).padStart(7);
    console.log(
      `${title.padEnd(50)} p50 ${quantileText(0.5)} ms   p99 ${quantileText(0.99)} ms   (${sorted.length} times)`,
    );
  }
}
