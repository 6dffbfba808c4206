import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from './require-tool.js';

/** A PostgreSQL server of a test's own. */
export interface TestPostgres {
  /** `postgres://…` */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server on a free loopback port with its files in a temporary folder; PostgreSQL refuses to run as root, so it gets its own user there. */
export async function startPostgres(): Promise<TestPostgres> {
  const [server, initdb] = [toolPath('postgres'), toolPath('initdb')];
  if (server === undefined || initdb === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'castellan-postgres-'));
  const account = ownAccount(folder);
  const data = join(folder, 'data');
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'], {
    stdio: 'pipe',
    ...account,
  });
  const port = await freePort();
  const child = spawn(server, ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  await new Promise<void>((done, fail) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('ready to accept connections')) done();
    });
    child.once('close', () => fail(new Error(`PostgreSQL did not start:\n${log}`)));
  });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ownAccount(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })));
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
