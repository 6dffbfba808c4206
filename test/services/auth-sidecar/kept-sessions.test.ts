import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../../services/common/sqlite.js';
import { cookie, directoryConfig, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, CookieJar, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let folder: string;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
});
afterAll(async () => {
  await app.close();
  await idp.close();
});
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sidecar-kept-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keys = { first: 'the first key of the app, 1234', second: 'the second key of the app, 12' };
const origin = 'http://app.example';

/** A replica: keys and store are shared. */
const start = (keptBy: 'cookie' | 'store', keyLines: readonly string[] = [keys.first]) =>
  startUnderTest({
    config: directoryConfig(idp, {
      login: { tokenStore: { enabled: true }, sessions: { keptBy } },
      encryptionSettings: { containerAppAuthEncryptionSecretName: 'shared-key' },
    }),
    upstream: app.url,
    secrets: { 'shared-key': keyLines.join('\n') },
    options: { tokenStore: `sqlite:${join(folder, 'store.db')}`, publicOrigins: [origin] },
  });
type Sidecar = Awaited<ReturnType<typeof start>>;
const hostHeaders = { ...browser, Host: 'app.example' };

async function signInAt(sidecar: Sidecar): Promise<CookieJar> {
  const jar = new CookieJar();
  const login = await request(sidecar.url, {
    path: '/.auth/login/directory',
    headers: hostHeaders,
  });
  jar.take(login);
  const { pathname, search } = new URL(
    idp.authorize(new URL(login.headers['location']?.[0] ?? '')),
  );
  jar.take(
    await request(sidecar.url, {
      path: pathname + search,
      headers: { ...hostHeaders, ...cookie(jar) },
    }),
  );
  return jar;
}
const visit = (sidecar: Sidecar, jar: CookieJar, path = '/') =>
  request(sidecar.url, { path, headers: { ...hostHeaders, ...cookie(jar) } });

/** Deletes entries of the store, as if it had been emptied or had evicted them. */
function deleteEntries(keyPattern: string): void {
  const database = openSqlite(join(folder, 'store.db'));
  database.prepare('delete from auth_sidecar_entry where key like ?').run([keyPattern]);
  database.close();
}
const waitForNextSecond = () => new Promise((done) => setTimeout(done, 1050));

test.each(['cookie', 'store'] as const)(
  'an emptied store ends every session, also those that were signed out (%s)',
  async (keptBy) => {
    const sidecar = await start(keptBy);
    const [openSession, endedSession] = [await signInAt(sidecar), await signInAt(sidecar)];
    const stolen = endedSession.header;
    await visit(sidecar, endedSession, '/.auth/logout');
    expect((await visit(sidecar, openSession)).status).toBe(200);
    deleteEntries('%');
    const visitWithStolenCookie = () =>
      request(sidecar.url, { headers: { ...hostHeaders, Cookie: stolen } }).then(
        ({ status }) => status,
      );
    expect([(await visit(sidecar, openSession)).status, await visitWithStolenCookie()]).toEqual([
      302, 302,
    ]);
    await waitForNextSecond();
    // A sign-in starts to remember again; what is older stays ended.
    const jar = await signInAt(sidecar);
    expect((await visit(sidecar, jar)).status).toBe(200);
    expect(await visitWithStolenCookie()).toBe(302);
    await sidecar.stop();
  },
);

test('a store that evicts single entries revives no session that it keeps', async () => {
  const sidecar = await start('store');
  const jar = await signInAt(sidecar);
  const stolen = jar.header;
  await visit(sidecar, jar, '/.auth/logout');
  deleteEntries('revoked-%');
  const answer = await request(sidecar.url, { headers: { ...hostHeaders, Cookie: stolen } });
  expect(answer.status).toBe(302);
  const openSession = await signInAt(sidecar);
  deleteEntries('session-%');
  expect((await visit(sidecar, openSession)).status).toBe(302);
  await sidecar.stop();
});

test.each(['cookie', 'store'] as const)(
  'sessions survive a restart, a refresh and another replica (%s)',
  async (keptBy) => {
    const first = await start(keptBy);
    const jar = await signInAt(first);
    const before = jar.header;
    expect((await visit(first, jar, '/.auth/refresh')).status).toBe(200);
    await first.stop();
    const second = await start(keptBy);
    expect((await visit(second, jar)).status).toBe(200);
    expect(
      (await request(second.url, { headers: { ...hostHeaders, Cookie: before } })).status,
    ).toBe(200);
    await second.stop();
  },
);

test('keys are replaced without a sign-out: add the second everywhere, then move it up', async () => {
  const [oldReplica, newReplica] = [
    await start('cookie'),
    await start('cookie', [keys.second, keys.first]),
  ];
  // Wrong order: one replica encrypts with a key that the other does not know yet.
  const jar = await signInAt(newReplica);
  const answer = await visit(oldReplica, jar);
  expect(answer.status).toBe(302);
  expect(JSON.stringify(answer.headers['set-cookie'] ?? [])).not.toContain('AuthSession');
  expect((await visit(newReplica, jar)).status).toBe(200);
  await Promise.all([oldReplica.stop(), newReplica.stop()]);
  // Right order, step by step: each pair of neighbours runs at the same time.
  const steps = [[keys.first], [keys.first, keys.second], [keys.second, keys.first], [keys.second]];
  for (const [index, keyLines] of steps.slice(1).entries()) {
    const [old, next] = [await start('cookie', steps[index]), await start('cookie', keyLines)];
    const [oldJar, nextJar] = [await signInAt(old), await signInAt(next)];
    expect((await visit(next, oldJar)).status).toBe(200);
    expect((await visit(old, nextJar)).status).toBe(200);
    await Promise.all([old.stop(), next.stop()]);
  }
});

test('a damaged cookie is cleared', async () => {
  const sidecar = await start('cookie');
  const jar = await signInAt(sidecar);
  const [name = ''] = [...jar.cookies.keys()];
  jar.cookies.set(name, `${(jar.cookies.get(name) ?? '').slice(0, -4)}AAAA`);
  const answer = await visit(sidecar, jar);
  expect(answer.headers['set-cookie']?.[0]).toContain('Max-Age=0');
  await sidecar.stop();
});
