import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataSet } from './data-set.js';
import { benchPages } from './pages.js';
import { benchScans } from './scans.js';

/** `npm run bench:billing -- [count] [file]`: in a file that is kept the data set is made once, and the bench can be run in parts. */
async function run([count = '100000', file]: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
  const dataSet = await openDataSet(file ?? join(folder, 'billing.db'), Number(count));
  await benchPages(dataSet, Number(count));
  await benchScans(dataSet);
  await dataSet.close();
  rmSync(folder, { recursive: true });
}

void run(process.argv.slice(2));
