import net from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, type CookieJar, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let folder: string;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp((incoming, response) => {
    if (incoming.url !== '/events') return false;
    response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' });
    response.write('data: first\n\n');
    return true;
  });
});
afterAll(async () => {
  await app.close();
  await idp.close();
});
beforeEach(() => {
  idp.claims = {};
  folder = mkdtempSync(join(tmpdir(), 'sidecar-ends-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Options = NonNullable<Parameters<typeof startUnderTest>[0]['options']>;

/** A sidecar with an operators' port, an audit and keys that replicas share. */
const start = (options: Options = {}) =>
  startUnderTest({
    config: directoryConfig(idp, {
      login: { tokenStore: { enabled: true }, audit: { file: join(folder, 'audit.jsonl') } },
      encryptionSettings: { containerAppAuthEncryptionSecretName: 'shared-key' },
    }),
    upstream: app.url,
    secrets: { 'shared-key': 'a key of at least sixteen characters' },
    options: { adminListen: '127.0.0.1:0', ...options },
  });
type Sidecar = Awaited<ReturnType<typeof start>>;

const jsonHeaders = { 'Content-Type': 'application/json' };
const endSessions = async (
  { admin = '' }: Sidecar,
  order: unknown,
  headers: Record<string, string> = jsonHeaders,
) => {
  const answer = await request(admin, {
    method: 'POST',
    path: '/admin/sessions/end',
    headers,
    body: JSON.stringify(order),
  });
  return { status: answer.status, body: JSON.parse(answer.body) as Record<string, unknown> };
};
const listSessions = async ({ admin = '' }: Sidecar, query = '') => {
  const { body } = await request(admin, { path: `/admin/sessions${query}` });
  return (JSON.parse(body) as { sessions: Record<string, string>[] }).sessions;
};
const visit = (sidecar: Sidecar, jar: CookieJar, path = '/') =>
  request(sidecar.url, { path, headers: { ...browser, ...cookie(jar) } }).then(
    ({ status }) => status,
  );
const waitUntilNextSecond = () => new Promise((done) => setTimeout(done, 1050));
const signInAs = async (sidecar: Sidecar, sub: string) => {
  idp.claims = { sub };
  return (await signIn(sidecar, idp)).jar;
};

describe('POST /admin/sessions/end', () => {
  test('ends one session by the hash in the audit, with its tokens', async () => {
    const sidecar = await start();
    const [ada, bob] = [await signInAs(sidecar, 'ada'), await signInAs(sidecar, 'bob')];
    const lines = () =>
      readFileSync(join(folder, 'audit.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, string>);
    await expect.poll(lines).toHaveLength(2);
    const session = lines()[0]?.['session'];
    expect(await endSessions(sidecar, { session })).toEqual({ status: 200, body: { ended: 1 } });
    expect([await visit(sidecar, ada), await visit(sidecar, bob)]).toEqual([302, 200]);
    expect(await visit(sidecar, ada, '/.auth/refresh')).toBe(401);
    expect((await endSessions(sidecar, { session })).body).toEqual({ ended: 0 });
    await expect.poll(lines).toContainEqual(
      expect.objectContaining({
        event: 'ended',
        provider: 'directory',
        subject: 'ada',
        session,
        client: '127.0.0.1',
        reason: 'by an operator',
      }),
    );
    await sidecar.stop();
  });

  test('ends the sessions of a person, an issuer, or all; later sign-ins are new', async () => {
    const sidecar = await start();
    const orders = [
      { subject: 'ada' },
      { issuer: idp.url, subject: 'ada' },
      { issuer: idp.url },
      { all: true },
    ];
    for (const order of orders) {
      const jars = [await signInAs(sidecar, 'ada'), await signInAs(sidecar, 'ada')];
      const other = await signInAs(sidecar, 'bob');
      const endsAll = !('subject' in order);
      expect((await endSessions(sidecar, order)).body).toEqual({ ended: endsAll ? 3 : 2 });
      for (const jar of jars) expect([order, await visit(sidecar, jar)]).toEqual([order, 302]);
      expect([order, await visit(sidecar, other)]).toEqual([order, endsAll ? 302 : 200]);
      if (!endsAll) await endSessions(sidecar, { all: true });
      const later = await signInAs(sidecar, 'ada');
      expect([order, await visit(sidecar, later)]).toEqual([order, 200]);
      await endSessions(sidecar, { all: true });
    }
    expect(
      (await endSessions(sidecar, { issuer: 'https://other.example', subject: 'ada' })).body,
    ).toEqual({
      ended: 0,
    });
    await sidecar.stop();
  });

  test('refuses the bearer tokens of the person that were issued before', async () => {
    const sidecar = await start();
    const token = await idp.sign({ sub: 'ada', scp: 'user' });
    const visitWithToken = () =>
      request(sidecar.url, { headers: { Authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      );
    expect(await visitWithToken()).toBe(200);
    await endSessions(sidecar, { subject: 'ada' }); // a token of this second may be from before it
    expect(await visitWithToken()).toBe(401);
    await sidecar.stop();
  });

  test.each(['no-such-session', 'x'.repeat(43)])(
    'ends no session by the unknown hash %s',
    async (session) => {
      const sidecar = await start();
      const jar = await signInAs(sidecar, 'ada');
      expect(await endSessions(sidecar, { session })).toMatchObject({
        status: 200,
        body: { ended: 0 },
      });
      expect(await visit(sidecar, jar)).toBe(200);
      await sidecar.stop();
    },
  );

  test.each([
    [{}, 'needs issuer, subject, session, or all'],
    [{ user: 'ada' }, '"user" is not known'],
    [{ all: false }, 'all must be true'],
    [{ all: true, subject: 'ada' }, 'all must be true, and stand alone'],
    [{ session: 'x'.repeat(43), issuer: 'y' }, 'session must stand alone'],
    [{ subject: '' }, 'subject must be a string'],
    [{ subject: ['ada'] }, 'subject must be a string'],
    [['all'], 'must be a JSON object'],
  ])('refuses %j', async (order, message) => {
    const sidecar = await start();
    const { status, body } = await endSessions(sidecar, order);
    expect([status, body['message']]).toEqual([400, expect.stringContaining(message)]);
    await sidecar.stop();
  });

  test('is for the operator: not on the app port, not for pages, only with the bearer token', async () => {
    const open = await start();
    const jar = await signInAs(open, 'ada');
    await request(open.url, {
      method: 'POST',
      path: '/admin/sessions/end',
      headers: { ...jsonHeaders, ...cookie(jar) },
      body: '{"all":true}',
    });
    expect(app.requests.at(-1)?.url).toBe('/admin/sessions/end');
    expect(await visit(open, jar)).toBe(200);
    for (const headers of [
      { ...jsonHeaders, Origin: 'http://127.0.0.1:9090' },
      { ...jsonHeaders, 'Sec-Fetch-Site': 'same-origin' },
    ])
      expect((await endSessions(open, { all: true }, headers)).status).toBe(403);
    // A page whose host was resolved to this machine: its GET says nothing else about it.
    for (const host of [
      'attacker.example',
      'attacker.example:9090',
      '127.0.0.1.attacker.example',
    ]) {
      const answer = await request(open.admin ?? '', {
        path: '/admin/sessions',
        headers: { Host: host },
      });
      expect([host, answer.status]).toEqual([host, 403]);
    }
    for (const host of ['localhost:9090', '127.0.0.1', '[::1]:9090'])
      expect(
        (await request(open.admin ?? '', { path: '/admin/sessions', headers: { Host: host } }))
          .status,
      ).toBe(200);
    expect((await endSessions(open, { all: true }, { 'Content-Type': 'text/plain' })).status).toBe(
      400,
    );
    expect((await request(open.admin ?? '', { path: '/admin/sessions/end' })).status).toBe(405);
    expect(await visit(open, jar)).toBe(200);
    await open.stop();
    const everywhere = await start({ adminListen: ':0' });
    expect(await endSessions(everywhere, { all: true })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('CASTELLAN_SIDECAR_ADMIN_TOKEN') as string },
    });
    await everywhere.stop();
    const locked = await start({ adminListen: ':0', adminToken: 'operator-token' });
    const bearing = (token: string) =>
      endSessions(locked, { all: true }, { ...jsonHeaders, Authorization: `Bearer ${token}` });
    expect((await endSessions(locked, { all: true })).status).toBe(401);
    expect((await bearing('operator-tokem')).status).toBe(401);
    expect((await bearing('operator-token')).status).toBe(200);
    await locked.stop();
  });
});

test('GET /admin/sessions lists the open sessions, those of a person too', async () => {
  const sidecar = await start();
  await signInAs(sidecar, 'ada');
  const bob = await signInAs(sidecar, 'bob');
  const entry = {
    provider: 'directory',
    issuer: idp.url,
    name: 'Ada Lovelace',
    session: expect.stringMatching(/^[\w-]{43}$/) as string,
    startedAt: expect.stringMatching(/Z$/) as string,
    expiresAt: expect.stringMatching(/Z$/) as string,
  };
  expect(await listSessions(sidecar, '?subject=ada')).toEqual([{ ...entry, subject: 'ada' }]);
  await visit(sidecar, bob, '/.auth/logout');
  expect(await listSessions(sidecar)).toEqual([{ ...entry, subject: 'ada' }]);
  await sidecar.stop();
});

/** Opens a connection that stays, and says when it has closed. */
async function keepOpen(sidecar: Sidecar, headers: string, path = '/events') {
  const socket = net.connect(Number(new URL(sidecar.url).port), '127.0.0.1');
  const state = { isClosed: false, text: '' };
  socket.on('close', () => (state.isClosed = true)).on('error', () => undefined);
  socket.on('data', (part: Buffer) => (state.text += part.toString()));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: app.example\r\n${headers}\r\n`);
  await expect.poll(() => state.text).toContain('data: first');
  return { state, destroy: () => socket.destroy() };
}

test('event streams and WebSockets end with their session within 2 s, on every replica', async () => {
  const options = {
    publicOrigins: ['http://app.example'],
    tokenStore: `sqlite:${join(folder, 'store.db')}`,
  };
  const [firstReplica, secondReplica] = [await start(options), await start(options)];
  const host = { ...browser, Host: 'app.example' };
  const login = await request(firstReplica.url, {
    path: '/.auth/login/directory',
    headers: host,
  });
  const { pathname, search } = new URL(
    idp.authorize(new URL(login.headers['location']?.[0] ?? '')),
  );
  const callbackAnswer = await request(firstReplica.url, {
    path: pathname + search,
    headers: { ...host, Cookie: login.headers['set-cookie']?.[0]?.split(';')[0] },
  });
  const session = callbackAnswer.headers['set-cookie']
    ?.map((each) => each.split(';')[0] ?? '')
    .find((each) => each.includes('Session='));
  const cookieHeader = `Cookie: ${String(session)}\r\n`;
  const bearerHeader = `Authorization: Bearer ${await idp.sign({ scp: 'user' })}\r\n`;
  const streams = [
    await keepOpen(secondReplica, cookieHeader),
    await keepOpen(firstReplica, cookieHeader),
    await keepOpen(secondReplica, bearerHeader),
  ];
  const started = Date.now();
  expect((await endSessions(firstReplica, { subject: 'subject-1' })).body).toEqual({ ended: 1 });
  await vi.waitFor(
    () => expect(streams.map(({ state }) => state.isClosed)).toEqual([true, true, true]),
    {
      timeout: 5000,
      interval: 20,
    },
  );
  expect(Date.now() - started).toBeLessThan(2000);
  await Promise.all([firstReplica.stop(), secondReplica.stop()]);
});

test('an event stream of someone without a session stays open', async () => {
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
    }),
    upstream: app.url,
    options: { publicOrigins: ['http://app.example'], adminListen: '127.0.0.1:0' },
  });
  const { state, destroy } = await keepOpen(sidecar, '');
  await endSessions(sidecar, { all: true });
  await waitUntilNextSecond();
  expect(state.isClosed).toBe(false);
  destroy();
  await sidecar.stop();
});
