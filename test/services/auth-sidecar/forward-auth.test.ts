import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityHeaderNames } from '../../../services/auth-sidecar/session/principal.js';
import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, CookieJar, type RawAnswer, request } from './support/raw-client.js';

const idp = new TestIdentityProvider();
const validation = {
  unauthenticatedClientAction: 'RedirectToLoginPage',
  excludedPaths: ['/public'],
};
const httpSettings = { forwardProxy: { convention: 'Standard' } };
let sidecar: SidecarUnderTest;
let jar: CookieJar;

/** A sidecar that answers for a proxy on this machine. */
const startSidecar = (
  moreSettings: Record<string, unknown> = {},
  trustedProxies = ['127.0.0.0/8'],
  directory = {},
): Promise<SidecarUnderTest> =>
  startUnderTest({
    config: directoryConfig(
      idp,
      { globalValidation: validation, httpSettings, ...moreSettings },
      directory,
    ),
    options: { trustedProxies, publicOrigins: ['http://app.example'] },
  });

const host = { Host: 'app.example' };

/** Asks about a request as Traefik and Caddy do. */
const ask = (
  uri: string,
  headers: Record<string, string | string[] | undefined> = {},
  { target = sidecar, path = '/.auth/check', method = 'GET' } = {},
): Promise<RawAnswer> =>
  request(target.url, {
    path,
    headers: {
      ...host,
      'X-Forwarded-Method': method,
      'X-Forwarded-Uri': uri,
      'X-Forwarded-Proto': 'http',
      ...headers,
    },
  });

async function signInAt(target: SidecarUnderTest): Promise<CookieJar> {
  const cookies = new CookieJar();
  const loginResponse = await request(target.url, {
    path: '/.auth/login/directory',
    headers: { ...host, ...browser },
  });
  cookies.take(loginResponse);
  const { pathname, search } = new URL(
    idp.authorize(new URL(loginResponse.headers['location']?.[0] ?? '')),
  );
  cookies.take(
    await request(target.url, {
      path: pathname + search,
      headers: { ...host, ...browser, ...cookie(cookies) },
    }),
  );
  return cookies;
}

beforeAll(async () => {
  await idp.start();
  sidecar = await startSidecar();
  jar = await signInAt(sidecar);
});
afterAll(async () => {
  await sidecar.stop();
  await idp.close();
});

describe('a check of a request held by another proxy', () => {
  test('allows it with a session, and returns the identity', async () => {
    const answer = await ask('/orders?id=7', cookie(jar));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'x-svc-client-principal-name': ['Ada Lovelace'],
      'x-svc-client-principal-id': ['subject-1'],
      'x-svc-client-principal-idp': ['directory'],
      'x-svc-client-principal': [expect.stringMatching(/^[A-Za-z0-9+/=]+$/)],
      'cache-control': ['no-store'],
      'content-length': ['0'],
    });
  });

  test('allows a bearer token of the directory', async () => {
    const answer = await ask('/orders', {
      Authorization: `Bearer ${await idp.sign({ aud: idp.clientId })}`,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-svc-client-principal-id']).toEqual(['subject-1']);
  });

  test('refuses it without a session: 401, with the sign-in address for a navigation and a challenge for programs', async () => {
    const person = await ask('/orders?id=7&x=a,b', { ...browser });
    expect(person.status).toBe(401);
    expect(person.headers['location']).toEqual([
      `http://app.example/.auth/login/directory?post_login_redirect_uri=${encodeURIComponent('/orders?id=7&x=a,b')}`,
    ]);
    const program = await ask('/orders');
    expect(program.status).toBe(401);
    expect(program.headers['location']).toBeUndefined();
    expect(program.headers['www-authenticate']?.[0]).toContain(
      'http://app.example/.well-known/oauth-protected-resource',
    );
  });

  test('redirects navigations to the sign-in if the proxy asks for it, and answers programs with 401', async () => {
    const path = '/.auth/check?redirect=true';
    const person = await ask('/orders?id=7', { ...browser }, { path });
    expect(person.status).toBe(302);
    expect(person.headers['location']).toEqual([
      'http://app.example/.auth/login/directory?post_login_redirect_uri=%2Forders%3Fid%3D7',
    ]);
    expect((await ask('/orders', {}, { path })).status).toBe(401);
    expect((await ask('/orders', { ...browser }, { path, method: 'POST' })).status).toBe(401);
  });

  test('takes the path after its own, as Envoy sends it, with its method', async () => {
    const askAtPath = (
      path: string,
      headers: Record<string, string>,
      method = 'GET',
    ): Promise<RawAnswer> =>
      request(sidecar.url, {
        method,
        path: `/.auth/check${path}`,
        headers: { ...host, ...headers },
      });
    expect((await askAtPath('/public/x', {})).status).toBe(200);
    expect((await askAtPath('/orders?redirect=false', { ...browser })).headers['location']).toEqual(
      [
        'http://app.example/.auth/login/directory?post_login_redirect_uri=%2Forders%3Fredirect%3Dfalse',
      ],
    );
    expect((await askAtPath('/orders', { ...cookie(jar) }, 'DELETE')).status).toBe(200);
    expect(
      (await askAtPath('/orders', { ...cookie(jar), Origin: 'https://evil.example' }, 'DELETE'))
        .status,
    ).toBe(403);
  });

  test('allows excluded paths without an identity', async () => {
    const answer = await ask('/public/logo.svg', { 'X-SVC-CLIENT-PRINCIPAL-NAME': 'root' });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-svc'))).toEqual([]);
  });

  test('names the headers that Envoy has to remove, to Envoy', async () => {
    const headersToRemove = async (path: string, headers: Record<string, string>) => {
      const answer = await request(sidecar.url, { path, headers: { ...host, ...headers } });
      expect(answer.status).toBe(200);
      return answer.headers['x-envoy-auth-headers-to-remove']?.[0]?.split(', ');
    };
    const name = 'X-SVC-CLIENT-PRINCIPAL-NAME';
    const [principal, token] = ['X-SVC-CLIENT-PRINCIPAL', 'X-SVC-TOKEN-DIRECTORY-ACCESS-TOKEN'];
    expect(await headersToRemove('/.auth/check/public/logo.svg', { [name]: 'root' })).toEqual(
      expect.arrayContaining([name, principal, token]),
    );
    const forPerson = await headersToRemove('/.auth/check/orders', cookie(jar));
    expect(forPerson).toContain('X-Forwarded-User');
    expect(forPerson).not.toContain(name);
    expect(await headersToRemove('/.auth/check', cookie(jar))).toBeUndefined();
  });

  test.each(['GET', 'POST'])(
    'refuses a %s to paths that only the sidecar answers: the proxy has to send them here',
    async (method) => {
      for (const uri of [
        '/.auth/me',
        '/.AUTH/login',
        '/%2eauth/login',
        '/.well-known/oauth-protected-resource',
      ])
        expect((await ask(uri, cookie(jar), { method })).status).toBe(403);
    },
  );

  test('with Return403 answers 403 without an address', async () => {
    const closedSidecar = await startSidecar({
      globalValidation: { unauthenticatedClientAction: 'Return403' },
    });
    const answer = await ask('/', { ...browser }, { target: closedSidecar });
    expect([answer.status, answer.headers['location']]).toEqual([403, undefined]);
    await closedSidecar.stop();
  });

  test('allows everything while the platform is off', async () => {
    const disabledSidecar = await startSidecar({ platform: { enabled: false } });
    expect((await ask('/orders', {}, { target: disabledSidecar })).status).toBe(200);
    await disabledSidecar.stop();
  });

  test('requires https as configured, and redirects to the exact same path', async () => {
    const httpsSidecar = await startUnderTest({
      config: directoryConfig(idp, {
        globalValidation: validation,
        httpSettings: { ...httpSettings, requireHttps: true },
      }),
      options: { trustedProxies: ['127.0.0.1'], publicOrigins: ['https://app.example'] },
    });
    const answer = await ask('/a%20b//c?x=%2e', { ...browser }, { target: httpsSidecar });
    expect([answer.status, answer.headers['location']]).toEqual([
      401,
      ['https://app.example/a%20b//c?x=%2e'],
    ]);
    const redirected = await ask(
      '/a',
      { ...browser },
      { target: httpsSidecar, path: '/.auth/check?redirect=true' },
    );
    expect([redirected.status, redirected.headers['location']]).toEqual([
      307,
      ['https://app.example/a'],
    ]);
    await httpsSidecar.stop();
  });

  test('clears an invalid session cookie', async () => {
    const answer = await ask('/orders', { Cookie: 'SvcAuthSession=v1.xxxxxxxx.broken' });
    expect([answer.status, answer.headers['set-cookie']?.[0]]).toEqual([
      401,
      expect.stringMatching(/^SvcAuthSession=; .*Max-Age=0/),
    ]);
  });
});

describe('attacks on a check', () => {
  test("a client's own identity headers, in any spelling, are in no answer", async () => {
    const spoofed = {
      'X-SVC-CLIENT-PRINCIPAL-NAME': 'root',
      'X-SVC-CLIENT-PRINCIPAL': 'cm9vdA==',
      'X-MS-CLIENT-PRINCIPAL-NAME': 'root',
      X_SVC_CLIENT_PRINCIPAL_NAME: 'root',
      'X-SVC-TOKEN-DIRECTORY-ACCESS-TOKEN': 'root',
    };
    for (const [uri, headers] of [
      ['/public', {}],
      ['/orders', cookie(jar)],
    ] as const)
      expect((await ask(uri, { ...spoofed, ...headers })).text).not.toMatch(/root|cm9vdA/);
  });

  test.each([
    ['of a stranger', [], 'Standard'],
    ['where the convention is NoProxy', ['127.0.0.1'], 'NoProxy'],
  ])('forwarding headers %s are ignored', async (_, trustedProxies, convention) => {
    const closedSidecar = await startSidecar(
      { httpSettings: { forwardProxy: { convention } } },
      trustedProxies,
    );
    expect((await ask('/public', {}, { target: closedSidecar })).status).toBe(401);
    expect(
      (
        await ask(
          '/',
          { 'X-Forwarded-Host': 'evil.example', ...browser },
          { target: closedSidecar },
        )
      ).headers['location'],
    ).toEqual(['http://app.example/.auth/login/directory?post_login_redirect_uri=%2F']);
    const cookies = await signInAt(closedSidecar);
    const headers = {
      ...host,
      ...cookie(cookies),
      Origin: 'https://evil.example',
      'X-Forwarded-Method': 'GET',
    };
    expect(
      (await request(closedSidecar.url, { method: 'POST', path: '/.auth/check', headers })).status,
    ).toBe(403);
    await closedSidecar.stop();
  });

  test('a foreign host is refused and in no answer', async () => {
    const answer = await ask('/public', { 'X-Forwarded-Host': 'evil.example', ...browser });
    expect(answer.status).toBe(421);
    expect(answer.text).not.toContain('evil.example');
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/x/../public',
    '/%2e%2e/public',
    '/a%00',
    'public',
    '*',
  ])('the path %s is refused and leads nowhere', async (uri) => {
    for (const path of ['/.auth/check', '/.auth/check?redirect=true']) {
      const answer = await ask(uri, { ...browser, ...cookie(jar) }, { path });
      expect([answer.status, answer.headers['location']]).toEqual([403, undefined]);
    }
  });

  test('a path that is not known must meet every requirement', async () => {
    const requiring = (trustedProxies?: string[]) =>
      startSidecar(
        { globalValidation: { ...validation, requirements: [{ path: '/admin', groups: ['no'] }] } },
        trustedProxies,
      );
    for (const [target, uri] of [
      [await requiring(), undefined],
      [await requiring([]), '/orders'],
    ] as const) {
      const cookies = cookie(await signInAt(target));
      const answer = await ask('/', { ...cookies, 'X-Forwarded-Uri': uri }, { target });
      expect(answer.status).toBe(403);
      await target.stop();
    }
  });

  test('a repeated path is refused, whichever of the two is meant', async () => {
    expect((await ask('/public', { 'X-Forwarded-Uri': ['/public', '/orders'] })).status).toBe(403);
    expect(
      (await ask('/orders', { ...cookie(jar), 'X-Forwarded-Method': ['GET', 'POST'] })).status,
    ).toBe(403);
  });

  test.each([
    '/public;/../orders',
    '/PUBLIC%2f..%2forders',
    '/public%2Forders',
    '//public',
    '/publicity',
  ])('the path %s is not taken for an excluded one', async (uri) =>
    expect((await ask(uri)).status).not.toBe(200),
  );

  test('another site cannot change anything with a session, nor open a WebSocket', async () => {
    const foreign = {
      ...cookie(jar),
      ...browser,
      Origin: 'https://evil.example',
      'Sec-Fetch-Site': 'cross-site',
    };
    expect((await ask('/orders', foreign, { method: 'POST' })).status).toBe(403);
    expect(
      (await ask('/orders', { ...cookie(jar), ...browser }, { method: 'DELETE' })).status,
    ).toBe(403);
    expect(
      (await ask('/orders', { ...cookie(jar), Origin: 'http://app.example' }, { method: 'POST' }))
        .status,
    ).toBe(200);
    const handshake = {
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version': '13',
    };
    expect((await ask('/live', { ...foreign, ...handshake })).status).toBe(403);
    expect(
      (await ask('/live', { ...cookie(jar), ...handshake, Origin: 'http://app.example' })).status,
    ).toBe(200);
    const upgrade = { ...handshake, Upgrade: 'websocket', Connection: 'Upgrade' };
    expect((await ask('/live', { ...foreign, ...upgrade })).status).toBe(403);
    expect(
      (await ask('/live', { ...cookie(jar), ...upgrade, Origin: 'http://app.example' })).status,
    ).toBe(200);
  });

  test('an invalid method, or one that returns headers, is refused', async () => {
    expect((await ask('/orders', cookie(jar), { method: 'TRACE' })).status).toBe(403);
    expect((await ask('/orders', cookie(jar), { method: 'GET /public' })).status).toBe(403);
  });

  test('the content of a name cannot end its header', async () => {
    idp.claims = { name: 'Eve\r\nX-SVC-CLIENT-PRINCIPAL-ID: root\r\n\r\n', sub: 'eve' };
    const cookies = await signInAt(sidecar);
    idp.claims = {};
    const answer = await ask('/orders', cookie(cookies));
    expect(answer.headers['x-svc-client-principal-id']).toEqual(['eve']);
    expect(answer.headers['x-svc-client-principal-name']?.[0]).toContain('%0D%0A');
  });
});

test('without an app only its own paths are answered, and WebSockets are refused', async () => {
  const handshake = {
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
  };
  for (const headers of [
    {},
    cookie(jar),
    { ...handshake, Upgrade: 'websocket', Connection: 'Upgrade' },
  ])
    expect(
      (await request(sidecar.url, { path: '/orders', headers: { ...host, ...headers } })).status,
    ).toBe(404);
});

test('the expression that the guide gives Traefik removes every spelling of an identity header, and no other header', () => {
  const guide = readFileSync(
    join(__dirname, '../../../docs/guides/ask-from-another-proxy.md'),
    'utf8',
  );
  const traefikPattern = /authResponseHeadersRegex: '\(\?i\)(.+)'/.exec(guide)?.[1] ?? '';
  const matches = (name: string): boolean => new RegExp(traefikPattern, 'i').test(name);
  const names = identityHeaderNames('neutral', ['directory', 'code-host']);
  expect(names.length).toBeGreaterThan(8);
  for (const name of names)
    expect([name, matches(name), matches(name.replaceAll('-', '_'))]).toEqual([name, true, true]);
  for (const name of ['X-Forwarded-For', 'X-Forwarded-Proto', 'Cookie', 'X-Request-Id', 'X-SVC'])
    expect(matches(name)).toBe(false);
});
