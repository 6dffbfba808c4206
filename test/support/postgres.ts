import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { madeOnce } from './made-once.js';
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

/**
 * The server that the tests of a run share. Where it has ended, its log is shown, and the tests
 * after that share another.
 */
async function sharedServer(number = 1): Promise<string> {
  const folder = await madeOnce(`castellan-postgres-${number}`, startServer);
  const url = `postgres://postgres@127.0.0.1:${readFileSync(join(folder, 'port'), 'utf8')}/postgres`;
  const client = new Client(url);
  try {
    await client.connect();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    const log = readFileSync(join(folder, 'data/log'), 'utf8');
    console.error(`PostgreSQL ended during the tests. Its log ends with:\n${log.slice(-2_000)}`);
    return sharedServer(number + 1);
  }
  await client.end();
  return url;
}

/**
 * Starts a server on a free loopback port, which ends with the run; PostgreSQL refuses to run as
 * root, so it gets its own user there.
 */
async function startServer(folder: string): Promise<void> {
  const [initdb, control] = [toolPath('initdb'), toolPath('pg_ctl')];
  if (initdb === undefined || control === undefined) throw new Error('PostgreSQL is not installed');
  const [data, port] = [join(folder, 'data'), await freePort()];
  mkdirSync(data);
  const account = ownAccount(data);
  chmodSync(folder, 0o711);
  await run(
    initdb,
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ],
    account,
  );
  // no unix sockets: the folder gets another name once the server has started
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c max_connections=300`;
  await run(
    control,
    ['start', '--wait', '-D', data, '--log', join(data, 'log'), '-o', settings],
    account,
  );
  writeFileSync(join(folder, 'port'), String(port));
}

function ownAccount(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  );
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres');
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((done) => server.close(() => done()));
  return port;
}
