import { performance } from 'node:perf_hooks';
import { invoices, type OpenedDataSet, option } from './data-set.js';

/** The interval of the timer that measures how long the event loop is blocked. */
const tickMs = 2;
const orderByAmount = option('orderBy', 'transactionAmount/value desc');

/** Queries that no index answers, or that find nothing: they must not block the service. */
const scanQueries: readonly string[] = [
  option('search', 'not to be found'),
  option('search', 'not to be found') + orderByAmount,
  option('filter', "contains(productDescription,'not there')") + orderByAmount,
  option('filter', "endswith(name,'zz')") + orderByAmount,
  `${option('search', 'storage')}&count=true`,
  `${option('filter', "productFamily eq 'Storage'")}&count=true`,
  `${option('filter', 'transactionAmount/value gt 1000')}&count=true`,
];

/**
 * Measures how long scans take, their processor time, and how long another request would have had to
 * wait meanwhile. The service runs in this process, so that a blocked event loop delays the timer.
 */
export async function benchScans({ page }: OpenedDataSet): Promise<void> {
  await page(invoices.large, orderByAmount);
  let lastTick = performance.now();
  let longestWaitMs = 0;
  const ticks = setInterval(() => {
    longestWaitMs = Math.max(longestWaitMs, performance.now() - lastTick - tickMs);
    lastTick = performance.now();
  }, tickMs);
  for (const query of scanQueries)
    for (const run of ['first', 'again']) {
      [lastTick, longestWaitMs] = [performance.now(), 0];
      const [start, startUsage] = [performance.now(), process.cpuUsage()];
      const { value, totalCount } = await page(invoices.large, query);
      const elapsedMs = performance.now() - start;
      const { user, system } = process.cpuUsage(startUsage);
      await new Promise((done) => setTimeout(done, 10));
      const summary = `${value.length} found${totalCount === undefined ? '' : ` of ${totalCount}`}`;
      console.log(
        `${decodeURIComponent(query).slice(1).padEnd(80)} ${run} ${elapsedMs.toFixed(0).padStart(6)} ms, processor ${((user + system) / 1000).toFixed(0)} ms, ` +
          `longest wait of another ${longestWaitMs.toFixed(0)} ms, ${summary}`,
      );
    }
  clearInterval(ticks);
}
