import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sendSignal } from './processes.js';

/**
 * Gives a run of the tests a temporary folder of its own for all files of the tests and of the
 * programs that they start, and removes it at the end of the run.
 */
function temporaryFolder(): void {
  // vitest calls this for each project of a run: the first call has made the folder
  if (basename(tmpdir()).startsWith('ct-')) return;
  // A short name: the path of a unix socket has 108 characters at the most
  const folder = mkdtempSync(join(tmpdir(), 'ct-'));
  chmodSync(folder, 0o711); // PostgreSQL runs as another user, with its files below
  process.env['TMPDIR'] = folder;
  process.once('exit', () => {
    for (const name of readdirSync(folder).filter((each) =>
      each.startsWith('castellan-postgres-data-'),
    ))
      stopPostgres(join(folder, name, 'postmaster.pid'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
}

/** Ends a PostgreSQL server that the tests of the run share: see `test/support/postgres.ts`. */
function stopPostgres(pidFile: string): void {
  if (existsSync(pidFile))
    sendSignal(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT');
}

export = temporaryFolder;
