import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type ListableStore,
  purgeIntervalMs,
} from '../../../services/auth-sidecar/token-store/entry-store.js';
import { openStore } from '../../../services/auth-sidecar/token-store/open-store.js';
import { isSqliteError, openSqlite } from '../../../services/common/sqlite.js';
import { freePort, waitUntilReachable } from '../../support/ports.js';
import { describeWithTool } from '../../support/require-tool.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, request } from './support/raw-client.js';
import { startRecordingApp } from './support/recording-app.js';
import { testBasicOperations, clock, testExpiry, testListing } from './support/store-behaviour.js';

const directory = mkdtempSync(join(tmpdir(), 'sidecar-stores-'));
chmodSync(directory, 0o755);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the memory store', () => {
  testBasicOperations(() => openStore('memory:', clock.now, () => undefined));
  testListing(() => openStore('memory:', clock.now, () => undefined));
  testExpiry(() => openStore('memory:', clock.now, () => undefined));
  test('forgets what has expired', async () => {
    const store = await openStore('memory:', clock.now, () => undefined);
    await store.write('x', 'y', clock.time + 5);
    clock.time += 10;
    expect(await store.read(['x'])).toEqual([undefined]);
    await store.close();
  });
});

describe('the file store', () => {
  const open = (): Promise<ListableStore> =>
    openStore(`sqlite:${join(directory, 'store.db')}`, clock.now, () => undefined);
  testBasicOperations(open);
  testListing(open);
  testExpiry(open);

  test("shows another process's write at once", async () => {
    const [firstStore, secondStore] = [await open(), await open()];
    for (let round = 0; round < 50; round++) {
      const key = `shared-${round}`;
      expect([...(await firstStore.read([key])), ...(await secondStore.read([key]))]).toEqual([
        undefined,
        undefined,
      ]);
      await secondStore.add(key, 'there', clock.time + 100);
      await new Promise((done) => setImmediate(done)); // no answer reaches a client within one turn
      expect(await firstStore.read([key])).toEqual(['there']);
      await firstStore.remove(key);
      await new Promise((done) => setImmediate(done));
      expect(await secondStore.read([key])).toEqual([undefined]);
    }
    await firstStore.close();
    await secondStore.close();
  });

  test('goes on where it can not delete what has expired, since another program has locked it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const errors: Error[] = [];
    const path = join(directory, 'locked.db');
    const store = await openStore(`sqlite:${path}`, clock.now, (error) => void errors.push(error));
    const other = openSqlite(path);
    try {
      other.exec('begin immediate');
      vi.advanceTimersByTime(purgeIntervalMs);
      other.exec('rollback');
      expect(errors.map((error) => isSqliteError(error, 'busy'))).toEqual([true]);
      await store.write('x', 'y', clock.time + 5);
      expect(await store.read(['x'])).toEqual(['y']);
    } finally {
      vi.useRealTimers();
      other.close();
      await store.close();
    }
  });

  test.skipIf(!existsSync('/proc/self/fd'))(
    'is closed when it turns out to be no store',
    async () => {
      const path = join(directory, 'text.db');
      writeFileSync(path, 'not a database '.repeat(100));
      await expect(openStore(`sqlite:${path}`, clock.now, () => undefined)).rejects.toThrow();
      const openFiles = readdirSync('/proc/self/fd').map((name) => {
        const link = join('/proc/self/fd', name);
        return existsSync(link) ? readlinkSync(link) : '';
      });
      expect(openFiles).not.toContain(realpathSync(path));
    },
  );

  test('is readable by its owner only', () => {
    expect(statSync(join(directory, 'store.db')).mode & 0o777).toBe(0o600);
  });
});

function behavesAsASharedStore(url: () => string, stopServer: () => Promise<void>): void {
  testBasicOperations(() => openStore(url(), clock.now, () => undefined));
  testListing(() => openStore(url(), clock.now, () => undefined));

  test('a sidecar that can not start leaves no connection to it open', async () => {
    const { hostname, port } = new URL(url());
    const open = new Set<Socket>();
    const opened: Socket[] = [];
    const proxy = createServer((client) => {
      const server = connect(Number(port), hostname);
      client.pipe(server).pipe(client);
      for (const each of [client, server]) each.on('error', () => undefined);
      opened.push(client);
      open.add(client);
      client.once('close', () => open.delete(client));
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const proxyPort = String((proxy.address() as AddressInfo).port);
    const options = {
      listen: `127.0.0.1:${proxyPort}`,
      tokenStore: url().replace(`:${port}`, `:${proxyPort}`),
    };
    await expect(startUnderTest({ config: {}, options })).rejects.toThrow('EADDRINUSE');
    expect(opened.length).toBeGreaterThan(0);
    await vi.waitFor(() => expect(open.size).toBe(0));
    await new Promise((done) => proxy.close(done));
  });

  test('replicas share sessions, sign-outs, used states and tokens; without the store no one is admitted', async () => {
    const idp = await new TestIdentityProvider().start();
    const app = await startRecordingApp();
    const startOptions = {
      config: directoryConfig(idp, {
        login: { tokenStore: { enabled: true } },
        encryptionSettings: {
          containerAppAuthEncryptionSecretName: 'enc',
          containerAppAuthSigningSecretName: 'sig',
        },
        httpSettings: { requireHttps: false },
      }),
      secrets: { enc: 'e'.repeat(64), sig: 's'.repeat(64) },
      upstream: app.url,
      options: { publicOrigins: ['http://app.example'], tokenStore: url() },
    };
    const [firstReplica, secondReplica] = [
      await startUnderTest(startOptions),
      await startUnderTest(startOptions),
    ];
    const host = { Host: 'app.example' };
    const loginResponse = await request(firstReplica.url, {
      path: '/.auth/login/directory',
      headers: { ...host, ...browser },
    });
    const { pathname, search } = new URL(
      idp.authorize(new URL(loginResponse.headers['location']?.[0] ?? '')),
    );
    const login = loginResponse.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const callbackAnswer = await request(secondReplica.url, {
      path: pathname + search,
      headers: { ...host, ...browser, Cookie: login },
    });
    expect(callbackAnswer.status).toBe(302);
    expect(
      (
        await request(firstReplica.url, {
          path: pathname + search,
          headers: { ...host, ...browser, Cookie: login },
        })
      ).status,
    ).toBe(401);
    const session =
      callbackAnswer.headers['set-cookie']?.find((line) => /Session=/.test(line))?.split(';')[0] ??
      '';
    const get = (replica: { url: string }, path = '/'): Promise<{ status: number; body: string }> =>
      request(replica.url, { path, headers: { ...host, Cookie: session } });
    expect((await get(firstReplica)).status).toBe(200);
    expect((await get(secondReplica)).status).toBe(200);
    idp.delay = 150;
    idp.tokenRequests.length = 0;
    const refreshAnswers = await Promise.all([
      get(firstReplica, '/.auth/refresh'),
      get(secondReplica, '/.auth/refresh'),
    ]);
    idp.delay = 0;
    expect(refreshAnswers.map(({ status }) => status)).toEqual([200, 200]);
    expect(idp.tokenRequests).toHaveLength(1);
    const tokens = await Promise.all([
      get(firstReplica, '/.auth/me'),
      get(secondReplica, '/.auth/me'),
    ]);
    expect(tokens[0]?.body).toBe(tokens[1]?.body);
    await get(firstReplica, '/.auth/logout');
    expect((await get(secondReplica)).status).toBe(401);
    const newSession = await signInAt(firstReplica.url, idp, host);
    await stopServer();
    const refusal = await request(secondReplica.url, {
      headers: { ...host, Cookie: newSession },
    });
    expect(refusal.status).toBe(503);
    expect(JSON.parse(refusal.body)).toMatchObject({ error: 'store_unavailable' });
    expect((await request(secondReplica.url, { headers: host })).status).toBe(401);
    await firstReplica.stop();
    await secondReplica.stop();
    await app.close();
    await idp.close();
  });
}

async function signInAt(
  url: string,
  idp: TestIdentityProvider,
  host: Record<string, string>,
): Promise<string> {
  const loginResponse = await request(url, {
    path: '/.auth/login/directory',
    headers: { ...host, ...browser },
  });
  const { pathname, search } = new URL(
    idp.authorize(new URL(loginResponse.headers['location']?.[0] ?? '')),
  );
  const Cookie = loginResponse.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const callbackAnswer = await request(url, {
    path: pathname + search,
    headers: { ...host, ...browser, Cookie },
  });
  return (
    callbackAnswer.headers['set-cookie']?.find((line) => /Session=/.test(line))?.split(';')[0] ?? ''
  );
}

describeWithTool('redis-server', 'the store in Redis', (program) => {
  let server: ChildProcess;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    server = spawn(
      program,
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory],
      { stdio: 'ignore' },
    );
    await waitUntilReachable(port);
  });
  afterAll(() => void server.kill('SIGKILL'));
  behavesAsASharedStore(
    () => `redis://127.0.0.1:${port}`,
    () => new Promise((done) => server.once('exit', () => done()).kill('SIGKILL')),
  );
});

describeWithTool('initdb', 'the store in PostgreSQL', (initdb) => {
  let server: ChildProcess;
  let port: number;
  const data = join(directory, 'postgres');
  const user =
    process.getuid?.() === 0 && initdb !== ''
      ? {
          uid: Number(execFileSync('id', ['-u', 'postgres'])),
          gid: Number(execFileSync('id', ['-g', 'postgres'])),
        }
      : {};
  const start = async (): Promise<void> => {
    const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
    server = spawn(
      join(dirname(initdb), 'postgres'),
      ['-D', data, '-p', String(port), '-k', data, ...settings],
      {
        stdio: 'ignore',
        ...user,
      },
    );
    await waitUntilReachable(port);
    await new Promise((done) => setTimeout(done, 500));
  };
  const stop = (signal: NodeJS.Signals): Promise<void> =>
    new Promise((done) => server.once('exit', () => done()).kill(signal));
  const url = (): string => `postgres://postgres@127.0.0.1:${port}/postgres`;
  beforeAll(async () => {
    port = await freePort();
    chmodSync(directory, 0o777);
    execFileSync(initdb, ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'], {
      stdio: 'ignore',
      ...user,
    });
    await start();
  });
  afterAll(() => void server.kill('SIGKILL'));

  test('a restart of the store fails requests meanwhile, and loses no session, sign-out or token', async () => {
    const idp = await new TestIdentityProvider().start();
    const app = await startRecordingApp();
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, {
        login: { tokenStore: { enabled: true } },
        globalValidation: { unauthenticatedClientAction: 'Return401' },
      }),
      upstream: app.url,
      options: { tokenStore: url(), adminListen: '127.0.0.1:0' },
    });
    const [keptJar, endedJar] = [
      (await signIn(sidecar, idp)).jar,
      (await signIn(sidecar, idp)).jar,
    ];
    await request(sidecar.url, { path: '/.auth/logout', headers: cookie(endedJar) });
    const statuses = async (): Promise<number[]> => [
      (await request(sidecar.url, { headers: cookie(keptJar) })).status,
      (await request(sidecar.url, { headers: cookie(endedJar) })).status,
      (await request(String(sidecar.admin), { path: '/readyz' })).status,
    ];
    expect(await statuses()).toEqual([200, 401, 200]);
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      await stop(signal);
      expect(await statuses()).toEqual([503, 503, 503]);
      const { body } = await request(String(sidecar.admin), { path: '/readyz' });
      expect(JSON.parse(body)).toMatchObject({
        down: ['tokenStore'],
        checks: { tokenStore: { error: 'ECONNREFUSED' } },
      });
      expect(body).toContain(`postgres://127.0.0.1:${port}/postgres`);
      await start();
      expect(await statuses()).toEqual([200, 401, 200]);
      expect(app.requests.at(-1)?.headers['x-svc-token-directory-access-token']).toMatch(
        /^access-/,
      );
    }
    await sidecar.stop();
    await app.close();
    await idp.close();
  });

  behavesAsASharedStore(url, () => stop('SIGQUIT'));
});

test.each(['/proc/none/deeper/x.db', '/dev/null/x.db'])(
  'a file that cannot be made there (%s) is an error at once',
  async (path) => {
    await expect(openStore(`sqlite:${path}`, clock.now, () => undefined)).rejects.toThrow(
      new RegExp(`token store \\(sqlite:${path}\\) can't be opened: E[A-Z]+`),
    );
  },
);

test.each(['mysql://x', 'sqlite:', 'nonsense'])('%s is no store', async (url) => {
  await expect(openStore(url, clock.now, () => undefined)).rejects.toMatchObject({
    code: 'CAS6004',
  });
});

test('a missing store is an error at start, without its password', async () => {
  const port = await freePort();
  for (const url of [
    `redis://user:pass-word@127.0.0.1:${port}`,
    `postgres://user:pass-word@127.0.0.1:${port}/x`,
  ]) {
    const error = await openStore(url, clock.now, () => undefined).then(
      () => undefined,
      (each: Error) => each,
    );
    expect(error).toMatchObject({
      code: 'CAS6005',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
    expect(String(error?.stack)).not.toContain('pass-word');
  }
});
