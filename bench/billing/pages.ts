import { performance } from 'node:perf_hooks';
import { pageOptions, invoices, type OpenedDataSet, option, prepareFirstPage } from './data-set.js';
import type { Served } from './served.js';

/**
 * How fast pages come, from the service in a process of its own: a filtered and ordered one against the bare SQL of the same page in this
 * process, read through the same index, and against the floor, asked for again and again and page after page; the first page of the large
 * invoice against that of the small one; a late page against an early one.
 */
export async function benchPages({ database, page }: OpenedDataSet, { get, getFloor }: Served, count: number): Promise<void> {
  const { large, small } = invoices;
  await page(large, pageOptions); // makes the index of this ordering
  const bare = prepareFirstPage(database);
  const path = (invoice: string, query: string): string =>
    `/providers/Svc.Billing/billingAccounts/1/invoices/${invoice}/transactions?api-version=2024-04-01${query}`;
  const late = async (): Promise<string> => {
    const { nextLink = '' } = await page(large, `${option('orderBy', 'date desc')}&skip=${Math.floor(count * 0.9)}`);
    const { pathname, search } = new URL(nextLink);
    return pathname + search;
  };
  const behind = await late();
  const further = prepareFirstPage(database, true);
  let place: readonly [string, number] = ['3', Number.MAX_SAFE_INTEGER];
  const nextBare = (): void => {
    const row = further.all(place)[49] as { f_transaction_amount_value: string; seq: number } | undefined;
    place = row === undefined ? ['3', Number.MAX_SAFE_INTEGER] : [row.f_transaction_amount_value, row.seq];
  };
  let link = path(large, pageOptions);
  const nextPage = async (): Promise<void> => {
    // The last member of a page that another follows: reading the rest would be the client's work.
    const next = /"nextLink":"https?:\/\/[^/]+([^"]+)"/.exec((await get(link)).subarray(-2000).toString());
    link = next?.[1] ?? path(large, pageOptions);
  };
  await compare([
    ['bare SQL, filtered and ordered', () => Promise.resolve(bare.all())],
    ['a plain fastify with that SQL', getFloor],
    ['the service, filtered and ordered', () => get(path(large, pageOptions))],
    ['bare SQL, page after page', () => Promise.resolve(nextBare())],
    ['the service, page after page', nextPage],
    ['first page of 1,000', () => get(path(small, ''))],
    [`first page of ${count}`, () => get(path(large, ''))],
    ['ordered by date, first page', () => get(path(large, option('orderBy', 'date desc')))],
    ['ordered by date, a page at nine tenths', () => get(behind)],
  ]);
}

/** So many rounds at first are not counted: the engine is still translating what it runs. */
const [warming, counted] = [2500, 2000];

/**
 * Median and 99th percentile, in milliseconds; the questions take turns, so that what disturbs the machine disturbs all of them, and each
 * begins when this process has nothing left to do of the one before.
 */
async function compare(questions: readonly (readonly [string, () => Promise<unknown>])[]): Promise<void> {
  const times = questions.map((): number[] => []);
  const until = performance.now() + 90_000;
  for (let round = 0; round < warming + counted && performance.now() < until; round++)
    for (const [index, [, ask]] of questions.entries()) {
      await new Promise((done) => setImmediate(done));
      const start = performance.now();
      await ask();
      if (round >= warming) times[index]?.push(performance.now() - start);
    }
  for (const [index, [title]] of questions.entries()) {
    const sorted = (times[index] ?? []).sort((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(2).padStart(7);
    console.log(`${title.padEnd(50)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   (${sorted.length} times)`);
  }
}
