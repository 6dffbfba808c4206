import { randomBytes } from 'node:crypto';
import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  signIn,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, CookieJar, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;

beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  sidecar = await startUnderTest({
    config: directoryConfig(idp, { login: { tokenStore: { enabled: true } } }),
    upstream: app.url,
  });
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await idp.close();
});
beforeEach(() => {
  app.clear();
  idp.claims = {};
});

describe('signing in by the server flow', () => {
  test('a browser is sent to sign in, returns to the requested page, and the app gets the identity', async () => {
    const first = await request(sidecar.url, {
      path: '/deep/link?x=1&y=a%20b',
      headers: browser,
    });
    expect(first.status).toBe(302);
    const login = first.headers['location']?.[0] ?? '';
    expect(login).toBe(
      '/.auth/login/directory?post_login_redirect_uri=%2Fdeep%2Flink%3Fx%3D1%26y%3Da%2520b',
    );
    const { jar, callbackAnswer } = await signIn(sidecar, idp, login);
    expect(callbackAnswer.status).toBe(302);
    expect(callbackAnswer.headers['location']).toEqual(['/deep/link?x=1&y=a%20b']);
    const page = await request(sidecar.url, {
      path: '/deep/link?x=1&y=a%20b',
      headers: { ...browser, ...cookie(jar) },
    });
    expect(page.status).toBe(200);
    const { headers } = app.requests[0] as RecordingApp['requests'][0];
    expect(headers['x-svc-client-principal-name']).toBe('Ada Lovelace');
    expect(headers['x-svc-client-principal-id']).toBe('subject-1');
    expect(headers['x-svc-client-principal-idp']).toBe('directory');
    expect(headers['x-svc-token-directory-access-token']).toMatch(/^access-/);
    expect(headers['x-svc-token-directory-refresh-token']).toMatch(/^refresh-/);
    expect(headers['x-svc-token-directory-id-token']).toMatch(/^ey/);
    expect(headers['cookie']).toBeUndefined();
    const principal = JSON.parse(
      Buffer.from(String(headers['x-svc-client-principal']), 'base64').toString(),
    ) as { claims: unknown[] };
    expect(principal).toMatchObject({ auth_typ: 'directory', name_typ: 'name', role_typ: 'roles' });
    expect(principal.claims).toContainEqual({ typ: 'name', val: 'Ada Lovelace' });
  });

  test('the session cookie is not accessible to scripts and other sites', async () => {
    const { callbackAnswer } = await signIn(sidecar, idp);
    const session = callbackAnswer.headers['set-cookie']?.find((line) =>
      line.startsWith('SvcAuthSession='),
    );
    expect(session).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(session).toMatch(/; Path=\/;/);
  });

  test('state, nonce and PKCE are sent, and the code is redeemed with the verifier', async () => {
    const loginResponse = await request(sidecar.url, {
      path: '/.auth/login/directory',
      headers: browser,
    });
    const query = new URL(loginResponse.headers['location']?.[0] ?? '').searchParams;
    expect(query.get('response_type')).toBe('code');
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('state')).toHaveLength(43);
    expect(query.get('nonce')).toHaveLength(43);
    expect(query.get('redirect_uri')).toBe(`${sidecar.url}/.auth/login/directory/callback`);
  });

  test('non-ASCII names arrive as printable ASCII, and unchanged in the principal', async () => {
    idp.claims = { name: 'Zoë Жанна 100%' };
    const { jar } = await signIn(sidecar, idp);
    await request(sidecar.url, { headers: { ...browser, ...cookie(jar) } });
    const { headers } = app.requests[0] as RecordingApp['requests'][0];
    expect(headers['x-svc-client-principal-name']).toBe(
      'Zo%C3%AB %D0%96%D0%B0%D0%BD%D0%BD%D0%B0 100%25',
    );
    expect(Buffer.from(String(headers['x-svc-client-principal']), 'base64').toString()).toContain(
      'Zoë Жанна 100%',
    );
  });

  test('claims too large for one cookie are stored in several', async () => {
    idp.claims = {
      groups: Array.from(
        { length: 200 },
        (_, index) => `00000000-0000-4000-8000-${String(index * 7919).padStart(12, '0')}`,
      ),
      blob: Buffer.from(
        Array.from({ length: 4000 }, (_, index) => (index * 7919 + (index % 251) * 31) % 256),
      )
        .toString('base64')
        .slice(0, 1500),
    };
    const { jar, callbackAnswer } = await signIn(sidecar, idp);
    expect(callbackAnswer.status).toBe(302);
    expect([...jar.cookies.keys()].every((name) => name.startsWith('SvcAuthSession'))).toBe(true);
    expect((await request(sidecar.url, { headers: { ...browser, ...cookie(jar) } })).status).toBe(
      200,
    );
  });

  test('long claims and many sign-ins in progress lock no one out: all cookies together stay below the header limit', async () => {
    const noise = (length: number): string => randomBytes(length).toString('base64');
    idp.claims = {
      name: 'N'.repeat(5000),
      photo: noise(2500),
      badge: noise(2500),
      motto: noise(1200),
      department: 'Analytical engines',
    };
    const { jar, callbackAnswer } = await signIn(sidecar, idp);
    expect(callbackAnswer.status).toBe(302);
    for (let index = 0; index < 20; index++)
      jar.take(
        await request(sidecar.url, {
          path: `/.auth/login/directory?post_login_redirect_uri=%2F${'x'.repeat(900)}${index}`,
          headers: { ...browser, ...cookie(jar) },
        }),
      );
    expect(jar.header.length).toBeLessThan(12 * 1024);
    app.clear();
    const answer = await request(sidecar.url, {
      headers: { ...browser, ...cookie(jar), 'X-Much': 'y'.repeat(3000) },
    });
    expect(answer.status).toBe(200);
    const { headers } = app.requests[0] as RecordingApp['requests'][0];
    const { claims } = JSON.parse(
      Buffer.from(String(headers['x-svc-client-principal']), 'base64').toString(),
    ) as {
      claims: { typ: string; val: string }[];
    };
    expect(claims).toContainEqual({ typ: 'department', val: 'Analytical engines' });
    expect(String(headers['x-svc-client-principal-name']).length).toBe(300);
    // An ID token of 15 KB would make the app refuse the request.
    expect(headers).not.toHaveProperty('x-svc-token-directory-id-token');
    expect(headers['x-svc-token-directory-access-token']).toMatch(/^access-/);
    const me = await request(sidecar.url, { path: '/.auth/me', headers: cookie(jar) });
    expect(me.body).toContain('"id_token":"ey');
    expect(
      (
        await request(sidecar.url, {
          path: '/.auth/logout',
          headers: { ...browser, ...cookie(jar) },
        })
      ).status,
    ).toBe(302);
  });

  test('/.auth/me returns the session, /.auth/refresh renews it, sign-out ends it for good', async () => {
    const { jar } = await signIn(sidecar, idp);
    const me = await request(sidecar.url, { path: '/.auth/me', headers: cookie(jar) });
    expect(JSON.parse(me.body)).toMatchObject([
      { provider_name: 'directory', user_id: 'subject-1' },
    ]);
    expect(me.headers['cache-control']).toEqual(['no-store']);
    const [{ access_token: before }] = JSON.parse(me.body) as [{ access_token: string }];
    const refreshed = await request(sidecar.url, {
      path: '/.auth/refresh',
      headers: cookie(jar),
    });
    expect(refreshed.status).toBe(200);
    const old = new CookieJar();
    for (const [name, value] of jar.cookies) old.cookies.set(name, value);
    jar.take(refreshed);
    const [{ access_token: after }] = JSON.parse(
      (await request(sidecar.url, { path: '/.auth/me', headers: cookie(jar) })).body,
    ) as [{ access_token: string }];
    expect(after).not.toBe(before);
    const logoutAnswer = await request(sidecar.url, {
      path: '/.auth/logout?post_logout_redirect_uri=%2Fbye',
      headers: cookie(jar),
    });
    expect(logoutAnswer.status).toBe(302);
    const end = new URL(logoutAnswer.headers['location']?.[0] ?? '');
    expect(`${end.origin}${end.pathname}`).toBe(`${idp.url}/end`);
    expect(end.searchParams.get('post_logout_redirect_uri')).toBe(
      `${sidecar.url}/.auth/logout/done`,
    );
    for (const endedJar of [old, jar])
      expect((await request(sidecar.url, { headers: cookie(endedJar) })).status).toBe(401);
    jar.take(logoutAnswer);
    expect([...jar.cookies.keys()]).toEqual(['SvcAuthLanding']);
    const doneAnswer = await request(sidecar.url, {
      path: `/.auth/logout/done?state=${end.searchParams.get('state') ?? ''}`,
      headers: cookie(jar),
    });
    expect(doneAnswer.headers['location']).toEqual(['/bye']);
  });

  test('signing out by the session of a cookie and that of a header lands where it was asked to', async () => {
    const { jar } = await signIn(sidecar, idp);
    const loginAnswer = await request(sidecar.url, {
      method: 'POST',
      path: '/.auth/login/directory',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ access_token: await idp.sign({ oid: 'object-2' }) }),
    });
    const { authenticationToken } = JSON.parse(loginAnswer.body) as { authenticationToken: string };
    const logoutAnswer = await request(sidecar.url, {
      path: '/.auth/logout?post_logout_redirect_uri=%2Fbye',
      headers: { ...cookie(jar), 'X-SVC-AUTH': authenticationToken },
    });
    jar.take(logoutAnswer);
    const { searchParams } = new URL(logoutAnswer.headers['location']?.[0] ?? '');
    const doneAnswer = await request(sidecar.url, {
      path: `/.auth/logout/done?state=${searchParams.get('state') ?? ''}`,
      headers: cookie(jar),
    });
    expect(doneAnswer.headers['location']).toEqual(['/bye']);
  });
});

describe('signing in by the client flow', () => {
  test('a directory token gives a session token, which works in its header and not as a cookie', async () => {
    const access_token = await idp.sign({ oid: 'object-1' });
    const answer = await request(sidecar.url, {
      method: 'POST',
      path: '/.auth/login/directory',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ access_token }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const { authenticationToken, user } = JSON.parse(answer.body) as {
      authenticationToken: string;
      user: { userId: string };
    };
    expect(user).toEqual({ userId: 'object-1' });
    expect(
      (await request(sidecar.url, { headers: { 'X-SVC-AUTH': authenticationToken } })).status,
    ).toBe(200);
    expect(app.requests[0]?.headers['x-svc-auth']).toBeUndefined();
    expect(
      (
        await request(sidecar.url, {
          headers: { Cookie: `SvcAuthSession=${authenticationToken}` },
        })
      ).status,
    ).toBe(401);
    const { jar } = await signIn(sidecar, idp);
    const session = jar.cookies.get('SvcAuthSession') ?? '';
    expect((await request(sidecar.url, { headers: { 'X-SVC-AUTH': session } })).status).toBe(401);
    await request(sidecar.url, {
      path: '/.auth/logout',
      headers: { 'X-SVC-AUTH': authenticationToken },
    });
    expect(
      (await request(sidecar.url, { headers: { 'X-SVC-AUTH': authenticationToken } })).status,
    ).toBe(401);
  });

  test('a bearer token of the directory is accepted', async () => {
    const token = await idp.sign({
      oid: 'app-1',
      idtyp: 'app',
      name: undefined,
      azp: 'caller-app',
      aud: `api://${idp.clientId}`,
    });
    expect(
      (await request(sidecar.url, { headers: { Authorization: `Bearer ${token}` } })).status,
    ).toBe(200);
    expect(app.requests[0]?.headers).toMatchObject({
      'x-svc-client-principal-id': 'app-1',
      'x-svc-client-principal-name': 'caller-app',
    });
    const foreign = await idp.sign({ aud: 'someone-else' });
    const refused = await request(sidecar.url, {
      headers: { Authorization: `Bearer ${foreign}` },
    });
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']?.[0]).toContain(
      `resource_metadata="${sidecar.url}/.well-known/oauth-protected-resource"`,
    );
  });

  test('a bearer token for the resource in the metadata is accepted', async () => {
    const status = async (aud: string | string[]): Promise<number> => {
      const headers = { Authorization: `Bearer ${await idp.sign({ aud })}` };
      return (await request(sidecar.url, { headers })).status;
    };
    const origin = sidecar.url;
    for (const aud of [origin, `${origin}/`, `${origin}/mcp`, ['someone-else', origin]])
      expect([aud, await status(aud)]).toEqual([aud, 200]);
    for (const aud of [
      `${origin}0`,
      `${origin}.example`,
      `${origin}@x.example`,
      origin.replace('http:', 'https:'),
      `x${origin}`,
      'http://127.0.0.1',
      '/',
      '',
    ])
      expect([aud, await status(aud)]).toEqual([aud, 401]);
  });
});
