import { execFileSync } from 'node:child_process';
import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { Audit } from '../../../services/auth-sidecar/operations/audit.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
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
beforeEach(() => {
  idp.claims = {};
  idp.idTokenOnRefresh = true;
  folder = mkdtempSync(join(tmpdir(), 'sidecar-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Line = Record<string, string | null>;

/** A sidecar whose audit is a file. */
async function startAudited(
  settings: Record<string, unknown> = {},
  directory: Record<string, unknown> = {},
) {
  const file = join(folder, 'audit.jsonl');
  const { login, ...otherSettings } = settings as { login?: object };
  const sidecar = await startUnderTest({
    config: directoryConfig(
      idp,
      { login: { tokenStore: { enabled: true }, audit: { file }, ...login }, ...otherSettings },
      directory,
    ),
    upstream: app.url,
    options: { trustedProxies: ['127.0.0.1'] },
  });
  const text = (): string => readFileSync(file, 'utf8');
  const lines = async (count: number): Promise<Line[]> => {
    await expect.poll(() => text().split('\n')).toHaveLength(count + 1);
    return text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  };
  return { sidecar, file, text, lines };
}

const keys = [
  'time',
  'event',
  'provider',
  'issuer',
  'subject',
  'name',
  'client',
  'path',
  'rule',
  'reason',
  'session',
  'requestId',
];

test('each sign-in, refresh, sign-out and use of an ended session is one line, without tokens', async () => {
  const { sidecar, text, lines } = await startAudited(
    { httpSettings: { forwardProxy: { convention: 'Standard' } } },
    { validation: { allowedGroups: ['staff'] } },
  );
  idp.claims = { groups: ['staff'] };
  const forwardedFor = { 'X-Forwarded-For': '203.0.113.9' };
  const jar = new CookieJar();
  const login = await request(sidecar.url, {
    path: '/.auth/login/directory?post_login_redirect_uri=%2Fbooks%3Fsecret%3D1',
    headers: { ...browser, ...forwardedFor },
  });
  jar.take(login);
  const { pathname, search } = new URL(
    idp.authorize(new URL(login.headers['location']?.[0] ?? '')),
  );
  const visit = async (path: string) => {
    const answer = await request(sidecar.url, {
      path,
      headers: { ...browser, ...forwardedFor, ...cookie(jar) },
    });
    jar.take(answer);
    return answer;
  };
  await visit(pathname + search);
  await visit('/.auth/refresh');
  const endedSession = { headers: { ...forwardedFor, ...cookie(jar) } };
  await visit('/.auth/logout');
  await request(sidecar.url, endedSession);
  const allLines = await lines(4);
  for (const line of allLines) expect(Object.keys(line)).toEqual(keys);
  const person = {
    provider: 'directory',
    issuer: idp.url,
    subject: 'subject-1',
    name: 'Ada Lovelace',
    client: '203.0.113.9',
  };
  expect(allLines).toMatchObject([
    { ...person, event: 'sign-in', path: '/books', rule: 'validation.allowedGroups' },
    { ...person, event: 'refreshed', path: '/.auth/refresh' },
    { ...person, event: 'sign-out', path: '/.auth/logout' },
    { ...person, event: 'refused', path: '/', reason: 'session_ended: The session has ended.' },
  ]);
  const [session] = new Set(allLines.map((line) => line['session']));
  expect(session).toMatch(/^[\w-]{43}$/);
  expect(new Set(allLines.map((line) => line['requestId'])).size).toBe(4);
  expect(text()).not.toMatch(/eyJ|access-|refresh-|secret=1/);
  await sidecar.stop();
});

test('a refusal names the rule that decided and the reason', async () => {
  const { sidecar, lines } = await startAudited(
    {
      globalValidation: {
        unauthenticatedClientAction: 'Return401',
        allowedEmailDomains: ['corp.example'],
        requirements: [{ path: '/admin', groups: ['admins'] }],
      },
    },
    { validation: { allowedGroups: ['staff'] } },
  );
  expect((await signIn(sidecar, idp)).callbackAnswer.status).toBe(403);
  idp.claims = { groups: ['staff'], email: 'ada@evil.example' };
  expect((await signIn(sidecar, idp)).callbackAnswer.status).toBe(403);
  idp.claims = { groups: ['staff'], email: 'ada@corp.example' };
  const { jar } = await signIn(sidecar, idp);
  const visit = (path: string, headers: Record<string, string>, method = 'GET') =>
    request(sidecar.url, { method, path, headers });
  await visit('/admin/x?token=1', { ...browser, ...cookie(jar) });
  await visit('/', { Authorization: 'Bearer no.such.token' });
  await visit('/', { Authorization: `Bearer ${await idp.sign({ scp: 'user' })}` });
  await visit('/form', { ...cookie(jar), Origin: 'https://evil.example' }, 'POST');
  await visit('/', {}); // asked to sign in: no one is refused
  expect(await lines(7)).toMatchObject(
    [
      {
        event: 'refused',
        subject: 'subject-1',
        rule: 'validation.allowedGroups',
        reason: 'access_denied: Only members of certain groups are let in here.',
        session: null,
      },
      { event: 'refused', rule: 'globalValidation.allowedEmailDomains' },
      { event: 'sign-in', path: '/' },
      { event: 'refused', path: '/admin/x', rule: 'globalValidation.requirements /admin: groups' },
      {
        event: 'refused',
        subject: null,
        reason: expect.stringContaining('invalid_token') as string,
      },
      { event: 'refused', subject: 'subject-1', rule: 'validation.allowedGroups' },
      { event: 'refused', path: '/form', rule: null, reason: /cross_site_request/ },
    ].map((line) =>
      line.reason instanceof RegExp
        ? { ...line, reason: expect.stringMatching(line.reason) as string }
        : line,
    ),
  );
  await sidecar.stop();
});

test.each([
  ['an expired ID token', { exp: 1 }, 'invalid_token: "exp" claim timestamp check failed'],
  ['an ID token for another app', { aud: 'x' }, 'invalid_token: unexpected "aud" claim value'],
  ['an ID token of another issuer', { iss: 'https://x.example' }, 'invalid_token: the issuer is'],
  ['a wrong nonce', { nonce: 'x' }, 'nonce_mismatch: The ID token was not issued for this'],
])('the line of a failed sign-in says why: %s', async (_, claims, reason) => {
  const { sidecar, lines } = await startAudited();
  idp.claims = claims;
  expect((await signIn(sidecar, idp)).callbackAnswer.status).toBe(401);
  const [line] = await lines(1);
  expect(line).toMatchObject({ event: 'refused', provider: 'directory' });
  expect(line?.['reason']).toContain(reason);
  await sidecar.stop();
});

test('a person whom a refresh no longer admits is refused, and the session ended', async () => {
  const { sidecar, lines } = await startAudited({}, { validation: { allowedGroups: ['staff'] } });
  idp.claims = { groups: ['staff'] };
  const { jar } = await signIn(sidecar, idp);
  idp.claims = { groups: [] };
  await request(sidecar.url, {
    path: '/.auth/refresh',
    headers: { ...browser, ...cookie(jar) },
  });
  const [signInLine, refusedLine, endedLine] = await lines(3);
  expect([refusedLine, endedLine]).toMatchObject([
    { event: 'refused', rule: 'validation.allowedGroups', session: signInLine?.['session'] },
    { event: 'ended', reason: expect.stringContaining('access_denied') as string },
  ]);
  await sidecar.stop();
});

test('a reload continues in a file that was moved away, and in another one', async () => {
  const { sidecar, file } = await startAudited();
  await signIn(sidecar, idp);
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('sign-in');
  rmSync(file);
  sidecar.reload();
  await signIn(sidecar, idp);
  await expect.poll(() => readFileSync(file, 'utf8').split('\n')).toHaveLength(2);
  const other = join(folder, 'other.jsonl');
  sidecar.write(directoryConfig(idp, { login: { audit: { file: other } } }));
  sidecar.reload();
  await signIn(sidecar, idp);
  await expect.poll(() => readFileSync(other, 'utf8').split('\n')).toHaveLength(2);
  await sidecar.stop();
});

test('a reload that the audit refuses leaves the certificate as it is', async () => {
  const names = [
    '-newkey',
    'rsa:2048',
    '-keyout',
    join(folder, 'key'),
    '-out',
    join(folder, 'cert'),
  ];
  execFileSync('openssl', ['req', '-x509', '-nodes', '-subj', '/CN=localhost', ...names], {
    stdio: 'ignore',
  });
  const tlsFiles = { tlsCert: join(folder, 'cert'), tlsKey: join(folder, 'key') };
  const sidecar = await startUnderTest({ config: directoryConfig(idp), options: tlsFiles });
  const setCertificate = vi.spyOn(tls.Server.prototype, 'setSecureContext');
  sidecar.write(directoryConfig(idp, { login: { audit: { file: '/nowhere/at/all' } } }));
  sidecar.reload();
  expect(setCertificate).not.toHaveBeenCalled();
  sidecar.write(directoryConfig(idp));
  sidecar.reload();
  expect(setCertificate).toHaveBeenCalledOnce();
  setCertificate.mockRestore();
  await sidecar.stop();
});

test('a sign-in that began before a reload is completed, and written to the new file', async () => {
  const { sidecar } = await startAudited();
  const other = join(folder, 'other.jsonl');
  idp.delay = 500;
  const running = signIn(sidecar, idp);
  await vi.waitFor(() => expect(idp.calls.at(-1)).toContain('/token'));
  sidecar.write(directoryConfig(idp, { login: { audit: { file: other } } }));
  sidecar.reload();
  expect((await running).callbackAnswer.status).toBe(302);
  await expect.poll(() => readFileSync(other, 'utf8')).toContain('sign-in');
  idp.delay = 0;
  await sidecar.stop();
});

test.each([
  [{}, 'login.audit: needs file or stream'],
  [{ file: 'a', stream: 'stdout' }, "login.audit.stream: can't be set together with file"],
  [{ stream: 'network' }, 'login.audit.stream'],
  [{ file: '/nowhere/at/all' }, 'login.audit.file: /nowhere/at/all can not be opened: ENOENT'],
])('the audit setting %j is refused', async (audit, message) => {
  const config = directoryConfig(idp, { login: { audit } });
  await expect(startUnderTest({ config }).then((started) => started.stop())).rejects.toThrow(
    message,
  );
});

test('access lines have the user and the address of the client', async () => {
  const pieces: string[] = [];
  const write = fs.write.bind(fs) as (...callArguments: unknown[]) => void;
  vi.spyOn(fs, 'write').mockImplementation(((...callArguments: unknown[]) => {
    if (callArguments[0] !== 2) return write(...callArguments);
    pieces.push(String(callArguments[1]));
    (callArguments.at(-1) as (error: null, count: number) => void)(
      null,
      Buffer.byteLength(String(callArguments[1])),
    );
  }) as unknown as typeof fs.write);
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      httpSettings: { forwardProxy: { convention: 'Standard' } },
      globalValidation: { unauthenticatedClientAction: 'Return401' },
    }),
    upstream: app.url,
    options: { logLevel: 'info', trustedProxies: ['127.0.0.1'] },
  });
  const visit = (path: string, headers: Record<string, string>) =>
    request(sidecar.url, { path, headers: { 'X-Forwarded-For': '203.0.113.9', ...headers } });
  const { jar } = await signIn(sidecar, idp);
  await visit('/in', cookie(jar));
  await visit('/.auth/check/asked', cookie(jar));
  await visit('/out', {});
  idp.claims = { exp: 1 };
  await signIn(sidecar, idp);
  await sidecar.stop();
  vi.restoreAllMocks();
  const lines = pieces
    .join('')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  const accessLines = lines.filter(
    ({ msg, client }) => msg === 'request' && client === '203.0.113.9',
  );
  expect(accessLines).toMatchObject([
    { path: '/in', user: 'subject-1', provider: 'directory', via: 'cookie' },
    { path: '/.auth/check/asked', user: 'subject-1', provider: 'directory', via: 'cookie' },
    { path: '/out' },
  ]);
  expect(accessLines[2]).not.toHaveProperty('user');
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'a sign-in failed',
      provider: 'directory',
      reason: 'invalid_token: "exp" claim timestamp check failed',
    }),
  );
});

test('without an audit setting an event is accepted and written nowhere', () => {
  expect(() => Audit.none.write({ event: 'sign-in' })).not.toThrow();
});
