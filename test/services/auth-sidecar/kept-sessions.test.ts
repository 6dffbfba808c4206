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
const start = (keptBy: 'cookie' | 'store', lines: readonly string[] = [keys.first]) =>
  startUnderTest({
    config: directoryConfig(idp, {
      login: { tokenStore: { enabled: true }, sessions: { keptBy } },
      encryptionSettings: { containerAppAuthEncryptionSecretName: 'shared-key' },
    }),
    upstream: app.url,
    secrets: { 'shared-key': lines.join('\n') },
    options: { tokenStore: `sqlite:${join(folder, 'store.db')}`, publicOrigins: [origin] },
  });
type Sidecar = Awaited<ReturnType<typeof start>>;
const host = { ...browser, Host: 'app.example' };

async function signInAt(sidecar: Sidecar): Promise<CookieJar> {
  const jar = new CookieJar();
  const login = await request(sidecar.listening, { path: '/.auth/login/directory', headers: host });
  jar.take(login);
  const { pathname, search } = new URL(
    idp.authorize(new URL(login.headers['location']?.[0] ?? '')),
  );
  jar.take(
    await request(sidecar.listening, {
      path: pathname + search,
      headers: { ...host, ...cookie(jar) },
    }),
  );
  return jar;
}
const visit = (sidecar: Sidecar, jar: CookieJar, path = '/') =>
  request(sidecar.listening, { path, headers: { ...host, ...cookie(jar) } });

/** What an emptied store, or one that evicted entries, has lost. */
function lose(like: string): void {
  const database = openSqlite(join(folder, 'store.db'));
  database.prepare('delete from auth_sidecar_entry where key like ?').run([like]);
  database.close();
}
const nextSecond = () => new Promise((done) => setTimeout(done, 1050));

test.each(['cookie', 'store'] as const)(
  'an emptied store ends every session, also those that were signed out (%s)',
  async (keptBy) => {
    const sidecar = await start(keptBy);
    const [kept, signedOut] = [await signInAt(sidecar), await signInAt(sidecar)];
    const stolen = signedOut.header;
    await visit(sidecar, signedOut, '/.auth/logout');
    expect((await visit(sidecar, kept)).status).toBe(200);
    lose('%');
    const bySteal = () =>
      request(sidecar.listening, { headers: { ...host, Cookie: stolen } }).then(
        ({ status }) => status,
      );
    expect([(await visit(sidecar, kept)).status, await bySteal()]).toEqual([302, 302]);
    await nextSecond();
    // A sign-in starts to remember again; what is older stays ended.
    const jar = await signInAt(sidecar);
    expect((await visit(sidecar, jar)).status).toBe(200);
    expect(await bySteal()).toBe(302);
    await sidecar.stop();
  },
);

test('a store that evicts single entries revives no session that it keeps', async () => {
  const sidecar = await start('store');
  const jar = await signInAt(sidecar);
  const stolen = jar.header;
  await visit(sidecar, jar, '/.auth/logout');
  lose('revoked-%');
  const answer = await request(sidecar.listening, { headers: { ...host, Cookie: stolen } });
  expect(answer.status).toBe(302);
  const open = await signInAt(sidecar);
  lose('session-%');
  expect((await visit(sidecar, open)).status).toBe(302);
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
    expect((await request(second.listening, { headers: { ...host, Cookie: before } })).status).toBe(
      200,
    );
    await second.stop();
  },
);

test('keys are replaced without a sign-out: add the second everywhere, then move it up', async () => {
  const [one, other] = [await start('cookie'), await start('cookie', [keys.second, keys.first])];
  // Wrong order: one replica encrypts with a key that the other does not know yet.
  const jar = await signInAt(other);
  const unknown = await visit(one, jar);
  expect(unknown.status).toBe(302);
  expect(JSON.stringify(unknown.headers['set-cookie'] ?? [])).not.toContain('AuthSession');
  expect((await visit(other, jar)).status).toBe(200);
  await Promise.all([one.stop(), other.stop()]);
  // Right order, step by step: each pair of neighbours runs at the same time.
  const steps = [[keys.first], [keys.first, keys.second], [keys.second, keys.first], [keys.second]];
  for (const [index, lines] of steps.slice(1).entries()) {
    const [old, next] = [await start('cookie', steps[index]), await start('cookie', lines)];
    const [a, b] = [await signInAt(old), await signInAt(next)];
    expect((await visit(next, a)).status).toBe(200);
    expect((await visit(old, b)).status).toBe(200);
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
