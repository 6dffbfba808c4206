import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { makeOnce } from './make-once.js';
import { freePort } from './ports.js';
import { toolPath } from './require-tool.js';

const run = promisify(execFile);

/**
 * The URL of a new, empty database on a PostgreSQL server: by default on the one that all tests of
 * a run share.
 */
export async function emptyPostgres(server?: string): Promise<string> {
  const url = server ?? (await sharedServer());
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return url.replace(/\/[^/]*$/, `/${name}`);
}

/** The server that the tests of a run share. */
async function sharedServer(): Promise<string> {
  const folder = await makeOnce('castellan-postgres', startServer);
  return `postgres://postgres@127.0.0.1:${readFileSync(join(folder, 'port'), 'utf8')}/postgres`;
}

/**
 * Starts a server on a free loopback port, which ends with the run; PostgreSQL refuses to run as
 * root, so it gets its own user there.
 */
async function startServer(folder: string): Promise<void> {
  const [initdb, pgCtl] = [toolPath('initdb'), toolPath('pg_ctl')];
  if (initdb === undefined || pgCtl === undefined) throw new Error('PostgreSQL is not installed');
  // a folder that keeps its name: the server opens files by the name it was started with, at every
  // checkpoint, and ends where one is missing
  const data = mkdtempSync(join(tmpdir(), 'castellan-postgres-data-'));
  const serverUser = postgresUser(data);
  const cluster = ['-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  await run(initdb, ['-D', data, '--no-sync', ...cluster], serverUser);
  const port = await freePort();
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c max_connections=300`;
  const log = join(data, 'log');
  await run(pgCtl, ['start', '--wait', '-D', data, '--log', log, '-o', settings], serverUser);
  writeFileSync(join(folder, 'port'), String(port));
}

function postgresUser(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  );
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres');
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
  return { uid, gid };
}
