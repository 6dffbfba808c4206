import { performance } from 'node:perf_hooks';
import { pageOptions, invoices, type OpenedDataSet, option, prepareFirstPage } from './data-set.js';
import type { Served } from './server-process.js';

/**
 * Measures pages from the service in its own process: a filtered and sorted one against the bare
 * SQL of the same page in this process, with the same index, and against the floor, both repeated
 * and page after page; the first page of the large invoice against that of the small one; a late
 * page against an early one.
 */
export async function benchPages(
  { database, page }: OpenedDataSet,
  { get, getFloor }: Served,
  count: number,
): Promise<void> {
  const { large, small } = invoices;
  await page(large, pageOptions); // creates the index of this order
  const bare = prepareFirstPage(database);
  const path = (invoice: string, query: string): string =>
    `/providers/Svc.Billing/billingAccounts/1/invoices/${invoice}/transactions?api-version=2024-04-01${query}`;
  const late = async (): Promise<string> => {
    const { nextLink = '' } = await page(
      large,
      `${option('orderBy', 'date desc')}&skip=${Math.floor(count * 0.9)}`,
    );
    const { pathname, search } = new URL(nextLink);
    return pathname + search;
  };
  const behind = await late();
  const further = prepareFirstPage(database, true);
  let place: readonly [string, number] = ['3', Number.MAX_SAFE_INTEGER];
  const nextBare = (): void => {
    const row = further.all(place)[49] as
      { f_transaction_amount_value: string; seq: number } | undefined;
    place =
      row === undefined
        ? ['3', Number.MAX_SAFE_INTEGER]
        : [row.f_transaction_amount_value, row.seq];
  };
  let link = path(large, pageOptions);
  const nextPage = async (): Promise<void> => {
    // The `nextLink` is the last member of a page: parsing the rest would be the client's work.
    const next = /"nextLink":"https?:\/\/[^/]+([^"]+)"/.exec(
      (await get(link)).subarray(-2000).toString(),
    );
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

/** The first rounds do not count: the engine is still compiling. */
const [warming, counted] = [2500, 2000];

/**
 * The median and 99th percentile in milliseconds. The requests alternate, so that disturbances of
 * the machine affect all of them, and each starts when this process has finished the one before.
 */
async function compare(
  questions: readonly (readonly [string, () => Promise<unknown>])[],
): Promise<void> {
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
    const at = (share: number): string =>
      (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(2).padStart(7);
    console.log(
      `${title.padEnd(50)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   (${sorted.length} times)`,
    );
  }
}
