import { Worker } from 'node:worker_threads';

/** Runs in a thread of its own, on a connection of its own: what it does blocks no request. */
const work = `
const { workerData } = require('node:worker_threads');
const sqlite = require(workerData.engine)(workerData.file);
sqlite.pragma('busy_timeout = 60000');
sqlite.exec(workerData.statement);
sqlite.close();
`;

/** Carries out a statement on a SQLite file beside everything else: a million rows take seconds to index. */
export function executeAside(file: string, statement: string): Promise<void> {
  return new Promise((done, fail) => {
    const worker = new Worker(work, { eval: true, workerData: { engine: require.resolve('better-sqlite3'), file, statement } });
    worker.once('error', fail);
    worker.once('exit', () => done());
  });
}
