import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListableStore } from '../../../services/auth-sidecar/token-store/entry-store.js';
import { openStore } from '../../../services/auth-sidecar/token-store/open-store.js';
import { freePort, waitUntilReachable } from '../../support/ports.js';
import { describeWithTool } from '../../support/require-tool.js';
import { waitUntil } from '../../support/wait-until.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { request } from './support/raw-client.js';
import { startRecordingApp } from './support/recording-app.js';
import { testBasicOperations, clock } from './support/store-behaviour.js';

const folder = mkdtempSync(join(tmpdir(), 'sidecar-redis-'));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const each of running) each.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a server with a folder of its own. */
async function startServer(
  program: string,
  args: readonly string[],
): Promise<{ port: number; server: ChildProcess }> {
  const port = await freePort();
  const dir = join(folder, String(port));
  mkdirSync(dir);
  const ownArgs = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  const server = spawn(program, [...args, ...ownArgs], { stdio: 'ignore' });
  running.push(server);
  await waitUntilReachable(port);
  return { port, server };
}

/** Waits until a replica has everything that its master has. */
async function waitUntilReplicated(masterPort: number, ...options: string[]): Promise<void> {
  const args = [...options, '-p', String(masterPort), 'info', 'replication'];
  await waitUntil('the replica to be up to date', () => {
    const text = execFileSync('redis-cli', args, { encoding: 'utf8' });
    const [, replicaOffset] = /^slave0:.*offset=(\d+)/m.exec(text) ?? [];
    return text.includes(`master_repl_offset:${String(replicaOffset)}\r\n`);
  });
}

const open = (url: string): Promise<ListableStore> => openStore(url, clock.now, () => undefined);

describeWithTool('redis-server', 'the store in Redis behind Sentinels', (program) => {
  const password = 'p@ss/word';
  let master: Awaited<ReturnType<typeof startServer>>;
  let url: string;

  beforeAll(async () => {
    const secret = ['--requirepass', password, '--masterauth', password];
    master = await startServer(program, secret);
    await startServer(program, [...secret, '--replicaof', `127.0.0.1 ${master.port}`]);
    const config = join(folder, 'sentinel.conf');
    const lines = [
      `sentinel monitor main 127.0.0.1 ${master.port} 1`,
      `sentinel auth-pass main ${password}`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 2000',
    ];
    writeFileSync(config, lines.join('\n'));
    const { port } = await startServer(program, [config, '--sentinel']);
    url = `redis-sentinel://:${encodeURIComponent(password)}@127.0.0.1:${port}/main`;
    // The Sentinel learns of the replica from the master.
    const replicasCommand = ['-p', String(port), 'sentinel', 'replicas', 'main'];
    await waitUntil('a replica', () => {
      const replicas = execFileSync('redis-cli', replicasCommand, { encoding: 'utf8' });
      return /flags\s+slave\s/.test(replicas) && /master-link-status\s+ok/.test(replicas);
    });
  });

  testBasicOperations(() => open(url));

  test('a wrong password, and a master that is not known, are errors at start', async () => {
    await expect(open(url.replace('p%40ss', 'wrong'))).rejects.toThrow(/WRONGPASS/);
    await expect(open(url.replace('/main', '/other'))).rejects.toThrow(/can't be opened/);
  });

  test('sessions survive a failover: refused while it lasts, then found on the new master', async () => {
    const idp = await new TestIdentityProvider().start();
    const app = await startRecordingApp();
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, {
        login: { tokenStore: { enabled: true } },
        globalValidation: { unauthenticatedClientAction: 'Return401' },
      }),
      upstream: app.url,
      options: { tokenStore: url },
    });
    const [keptJar, endedJar] = [
      (await signIn(sidecar, idp)).jar,
      (await signIn(sidecar, idp)).jar,
    ];
    await request(sidecar.url, { path: '/.auth/logout', headers: cookie(endedJar) });
    const status = async (jar: typeof keptJar): Promise<number> =>
      (await request(sidecar.url, { headers: cookie(jar) })).status;
    expect([await status(keptJar), await status(endedJar)]).toEqual([200, 401]);
    await waitUntilReplicated(master.port, '--no-auth-warning', '-a', password);
    master.server.kill('SIGKILL');
    const statuses = new Set<number>();
    await waitUntil('the session', async () => {
      const current = await status(keptJar);
      statuses.add(current);
      return current === 200;
    });
    expect([...statuses].filter((each) => ![200, 503].includes(each))).toEqual([]);
    expect([await status(keptJar), await status(endedJar)]).toEqual([200, 401]);
    // It takes writes, too.
    const jar = await waitUntil('a sign-in', async () => {
      const each = await signIn(sidecar, idp);
      return each.callbackAnswer.status === 302 && each.jar;
    });
    expect(await status(jar)).toBe(200);
    await sidecar.stop();
    await app.close();
    await idp.close();
  });
});

/** Starts the nodes of a cluster. @param replicas of each master */
async function startCluster(
  program: string,
  count: number,
  replicas: number,
): Promise<Awaited<ReturnType<typeof startServer>>[]> {
  const servers: Awaited<ReturnType<typeof startServer>>[] = [];
  for (let index = 0; index < count; index++) {
    const bus = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
    servers.push(await startServer(program, [...bus, '--cluster-node-timeout', '1000']));
  }
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
  const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', String(replicas)];
  execFileSync('redis-cli', [...create, '--cluster-yes'], { stdio: 'ignore' });
  // each node finds by itself that the cluster is complete
  for (const { port } of servers) {
    const redisCli = (...words: string[]): string =>
      execFileSync('redis-cli', ['-p', String(port), ...words], { encoding: 'utf8' });
    await waitUntil(
      'the cluster',
      () =>
        redisCli('cluster', 'info').includes('cluster_state:ok') &&
        !redisCli('info', 'replication').includes('master_link_status:down'),
    );
  }
  return servers;
}

describeWithTool('redis-server', 'the store in a Redis cluster', (program) => {
  let servers: Awaited<ReturnType<typeof startServer>>[];
  let url: string;

  beforeAll(async () => {
    servers = await startCluster(program, 3, 0);
    const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
    // One of the nodes is enough to find the others.
    url = `redis-cluster://${addresses.slice(0, 1).join()}`;
  });

  testBasicOperations(() => open(url));

  test('entries are on several nodes, and read and listed together', async () => {
    const store = await open(url);
    const keys = Array.from({ length: 30 }, (_, index) => `listed-${index}`);
    for (const key of keys) await store.write(key, `value of ${key}`, clock.time + 100);
    expect(await store.read(keys)).toEqual(keys.map((key) => `value of ${key}`));
    expect((await store.list('listed-')).map(([key]) => key).sort()).toEqual([...keys].sort());
    const sizes = servers.map(({ port }) =>
      Number(execFileSync('redis-cli', ['-p', String(port), 'dbsize'], { encoding: 'utf8' })),
    );
    expect(sizes.filter((size) => size > 0)).toHaveLength(3);
    await store.close();
  });

  test('entries of a node that is gone cannot be read, and nothing else is returned for them', async () => {
    const store = await open(url);
    servers[2]?.server.kill('SIGKILL');
    await new Promise((done) => setTimeout(done, 300));
    const keys = Array.from({ length: 30 }, (_, index) => `listed-${index}`);
    await expect(Promise.resolve(store.read(keys))).rejects.toThrow();
    await store.close();
  });
});

describeWithTool('redis-server', 'the store in a Redis cluster with replicas', (program) => {
  test('entries of a master that is gone for good are found on its replica', async () => {
    const servers = await startCluster(program, 6, 1);
    const [first, second] = servers;
    const store = await open(`redis-cluster://127.0.0.1:${first?.port},127.0.0.1:${second?.port}`);
    const keys = Array.from({ length: 30 }, (_, index) => `kept-${index}`);
    for (const key of keys) await store.write(key, `value of ${key}`, clock.time + 100);
    await waitUntilReplicated(Number(second?.port));
    second?.server.kill('SIGKILL');
    await new Promise((done) => setTimeout(done, 100));
    await expect(Promise.resolve(store.read(keys))).rejects.toThrow();
    const values = await waitUntil('the replica', () =>
      Promise.resolve(store.read(keys)).catch(() => undefined),
    );
    expect(values).toEqual(keys.map((key) => `value of ${key}`));
    await store.write('kept-0', 'newer', clock.time + 100);
    expect(await store.read(['kept-0'])).toEqual(['newer']);
    await store.close();
  });
});

test.each([
  'redis-sentinel://127.0.0.1/main',
  'redis-sentinel://a:1,b/main',
  'redis-cluster://',
  'redis-cluster://a:1;b:2',
])('the address %s of a store is refused', async (url) => {
  await expect(open(url)).rejects.toMatchObject({
    code: expect.stringMatching(/^CAS600[45]$/) as string,
  });
});
