import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataSet } from './data-set.js';
import { benchPages } from './pages.js';
import { benchScans } from './scans.js';
import { startServer } from './server-process.js';

/**
 * `npm run bench -- billing [count] [file] [pages]`: `count` is the number of transactions. A data
 * set in a given file is kept and used again; `pages` leaves the scans out.
 */
async function run([count = '100000', file, part]: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
  const path = file ?? join(folder, 'billing.db');
  const dataSet = await openDataSet(path, Number(count));
  const server = await startServer(path, Number(count));
  await benchPages(dataSet, server, Number(count));
  server.stop();
  if (part !== 'pages') await benchScans(dataSet);
  await dataSet.close();
  rmSync(folder, { recursive: true });
}

void run(process.argv.slice(2));
