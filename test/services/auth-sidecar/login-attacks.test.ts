import type { JWTPayload } from 'jose';
import { forgedTokens, rawToken } from '../../support/forged-tokens.js';
import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  signIn,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, CookieJar, type RawAnswer, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
const other = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;
let quick: SidecarUnderTest;

beforeAll(async () => {
  await idp.start();
  await other.start();
  app = await startRecordingApp();
  const config = directoryConfig(idp) as { identityProviders: Record<string, unknown> };
  config.identityProviders['customOpenIdConnectProviders'] = {
    second: {
      registration: {
        clientId: other.clientId,
        clientCredential: { clientSecretSettingName: 'directory-secret' },
        openIdConnectConfiguration: {
          wellKnownOpenIdConfiguration: `${other.url}/.well-known/openid-configuration`,
        },
      },
    },
  };
  sidecar = await startUnderTest({ config, upstream: app.url });
  quick = await startUnderTest({
    config: { ...config, login: { nonce: { nonceExpirationInterval: '00:00:01' } } },
    upstream: app.url,
  });
});
afterAll(async () => {
  await sidecar.stop();
  await quick.stop();
  await app.close();
  await idp.close();
  await other.close();
});
beforeEach(() => {
  idp.claims = {};
  idp.tokenRequests.length = 0;
  idp.sendsIss = false;
});

async function begin(
  jar = new CookieJar(),
  path = '/.auth/login/directory',
  at = sidecar,
): Promise<{ jar: CookieJar; callback: string }> {
  const loginResponse = await request(at.listening, {
    path,
    headers: { ...browser, ...cookie(jar) },
  });
  jar.take(loginResponse);
  const { pathname, search } = new URL(
    idp.authorize(new URL(loginResponse.headers['location']?.[0] ?? '')),
  );
  return { jar, callback: pathname + search };
}

function expectRefused(answer: RawAnswer, statuses: readonly number[] = [401, 403]): void {
  expect(statuses).toContain(answer.status);
  expect(answer.headers['location']).toBeUndefined();
  expect((answer.headers['set-cookie'] ?? []).filter((line) => /Session=[^;]/.test(line))).toEqual(
    [],
  );
}

describe('the callback', () => {
  test('of another browser is refused before its code is redeemed', async () => {
    const { callback } = await begin();
    const victim = await begin();
    expectRefused(
      await request(sidecar.listening, {
        path: callback,
        headers: { ...browser, ...cookie(victim.jar) },
      }),
    );
    expectRefused(await request(sidecar.listening, { path: callback, headers: browser }));
    expect(idp.tokenRequests).toEqual([]);
  });

  test('works once', async () => {
    const jar = new CookieJar();
    const loginResponse = await begin(jar);
    const before = jar.header;
    const first = await request(sidecar.listening, {
      path: loginResponse.callback,
      headers: { ...browser, Cookie: before },
    });
    expect(first.status).toBe(302);
    expectRefused(
      await request(sidecar.listening, {
        path: loginResponse.callback,
        headers: { ...browser, Cookie: before },
      }),
    );
    expect(idp.tokenRequests).toHaveLength(1);
  });

  test('of one provider is refused at another', async () => {
    const { jar, callback } = await begin();
    const moved = callback.replace('/login/directory/', '/login/second/');
    expectRefused(
      await request(sidecar.listening, { path: moved, headers: { ...browser, ...cookie(jar) } }),
    );
    expect(other.tokenRequests).toEqual([]);
  });

  test('without state, with an unknown state or a changed one is refused', async () => {
    const { jar, callback } = await begin();
    for (const path of [
      callback.replace(/&?state=[^&]*/, ''),
      callback.replace(/state=.{3}/, 'state=AAA'),
      '/.auth/login/directory/callback',
    ])
      expectRefused(
        await request(sidecar.listening, { path, headers: { ...browser, ...cookie(jar) } }),
      );
    expect(idp.tokenRequests).toEqual([]);
  });

  test.each([
    '&code=second',
    '&state=second',
    '&error=access_denied',
    '&error=a&error=b',
    '&iss=https://a.example&iss=https://b.example',
  ])('with %s added is refused', async (added) => {
    const { jar, callback } = await begin();
    expectRefused(
      await request(sidecar.listening, {
        path: callback + added,
        headers: { ...browser, ...cookie(jar) },
      }),
      [400, 401, 403],
    );
    expect(idp.tokenRequests).toEqual([]);
  });

  test('with a foreign issuer is refused, and so is one that lacks a required issuer', async () => {
    const { jar, callback } = await begin();
    expectRefused(
      await request(sidecar.listening, {
        path: `${callback}&iss=${encodeURIComponent(other.url)}`,
        headers: { ...browser, ...cookie(jar) },
      }),
    );
    expect(idp.tokenRequests).toEqual([]);
    const right = await begin();
    const answer = await request(sidecar.listening, {
      path: `${right.callback}&iss=${encodeURIComponent(idp.url)}`,
      headers: { ...browser, ...cookie(right.jar) },
    });
    expect(answer.status).toBe(302);
  });

  test('with an error of the provider reports it, escaped', async () => {
    const { jar, callback } = await begin();
    const path = callback.replace(
      /code=[^&]*/,
      'error=access_denied&error_description=%3Cscript%3Ealert(1)%3C/script%3E',
    );
    const answer = await request(sidecar.listening, {
      path,
      headers: { ...browser, ...cookie(jar) },
    });
    expectRefused(answer);
    expect(answer.body).toContain('access_denied');
    expect(answer.body).not.toContain('alert(1)');
    expect(answer.headers['content-security-policy']?.[0]).toContain("default-src 'none'");
  });

  test('with a nonce of another sign-in is refused', async () => {
    idp.claims = { nonce: 'stolen' };
    const { landed } = await signIn(sidecar, idp);
    expectRefused(landed);
  });

  test('after the nonce interval starts the sign-in again', async () => {
    const { jar, callback } = await begin(
      new CookieJar(),
      '/.auth/login/directory?post_login_redirect_uri=%2Fdeep',
      quick,
    );
    await new Promise((done) => setTimeout(done, 2100));
    const answer = await request(quick.listening, {
      path: callback,
      headers: { ...browser, ...cookie(jar) },
    });
    expect(answer.status).toBe(302);
    expect(answer.headers['location']).toEqual([
      '/.auth/login/directory?post_login_redirect_uri=%2Fdeep',
    ]);
    expect(idp.tokenRequests).toEqual([]);
    expectRefused(await request(quick.listening, { path: callback, headers: browser }));
  });
});

describe('ID tokens', () => {
  test.each<[string, () => Promise<string>]>([
    ['of another audience', () => idp.sign({ aud: 'someone-else' })],
    ['of another issuer', () => idp.sign({ iss: other.url })],
    ['that expired', () => idp.sign({ exp: 1_600_000_000 })],
    ['without an end', () => idp.sign({ exp: undefined } as never)],
    ['without a subject', () => idp.sign({ sub: undefined } as never)],
    ['signed by someone else', () => other.sign({ iss: idp.url })],
    ['not yet valid', () => idp.sign({ nbf: Math.floor(Date.now() / 1000) + 3600 })],
    ['with critical headers', () => idp.sign({}, { crit: ['b64'], b64: true })],
  ])('%s are refused', async (_, make) => {
    const answer = await post({ access_token: await make() });
    expectRefused(answer, [401]);
  });

  const ours = idp.clientId;
  test.each<[string, JWTPayload, boolean]>([
    ['of this client alone', { azp: ours }, true],
    ['of two audiences, issued to this client', { aud: [ours, 'someone-else'], azp: ours }, true],
    ['of this audience, issued to another client', { azp: 'someone-else' }, false],
    [
      'of two audiences, issued to the other',
      { aud: [ours, 'someone-else'], azp: 'someone-else' },
      false,
    ],
    [
      'of two audiences, without the client that it was issued to',
      { aud: [ours, 'someone-else'] },
      false,
    ],
    ['issued to a list of clients', { azp: [ours] }, false],
  ])('%s create a session only for this client', async (_, claims, accepted) => {
    const { jar, callback } = await begin();
    idp.claims = claims;
    const answer = await request(sidecar.listening, {
      path: callback,
      headers: { ...browser, ...cookie(jar) },
    });
    if (accepted) expect(answer.status).toBe(302);
    else expectRefused(answer, [401]);
  });

  test('without a signature, or with a secret for one, are refused', async () => {
    const encode = (value: unknown): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      iss: idp.url,
      aud: idp.clientId,
      sub: 'x',
      exp: Math.floor(Date.now() / 1000) + 600,
    };
    const { createHmac, createPublicKey } = await import('node:crypto');
    const pem = createPublicKey(idp.privateKey).export({ type: 'spki', format: 'pem' });
    const hmac = (body: string): string =>
      `${body}.${createHmac('sha256', pem).update(body).digest('base64url')}`;
    const tokens = [
      `${encode({ alg: 'none' })}.${encode(claims)}.`,
      `${encode({ alg: 'NONE' })}.${encode(claims)}.AA`,
      hmac(`${encode({ alg: 'HS256', kid: 'key-1' })}.${encode(claims)}`),
      'not-a-token',
      '..',
      `${encode({ alg: 'RS256', jwk: { kty: 'RSA' } })}.${encode(claims)}.AAAA`,
    ];
    for (const token of tokens) {
      expectRefused(await post({ access_token: token }), [401]);
      expect(
        (await request(sidecar.listening, { headers: { Authorization: `Bearer ${token}` } }))
          .status,
      ).toBe(401);
    }
  });

  const claims = (): Record<string, unknown> => ({
    iss: idp.url,
    aud: idp.clientId,
    sub: 'x',
    exp: seconds(600),
  });
  const seconds = (from: number): number => Math.floor(Date.now() / 1000) + from;
  const asBearer = async (token: string): Promise<number> =>
    (await request(sidecar.listening, { headers: { Authorization: `Bearer ${token}` } })).status;

  test.each(forgedTokens(claims, () => idp.privateKey))('with %s are refused', async (_, make) => {
    const token = await make();
    expectRefused(await post({ access_token: token }), [401]);
    expect(await asBearer(token)).toBe(401);
  });

  test.each<[string, () => JWTPayload]>([
    ['an audience that begins with ours', () => ({ aud: `${ours}-other` })],
    ['an audience that ours begins with', () => ({ aud: ours.slice(0, -1) })],
    ['an audience in capitals', () => ({ aud: ours.toUpperCase() })],
    ['an audience with a slash', () => ({ aud: `${ours}/` })],
    ['the audience of another API', () => ({ aud: `api://${ours}-other` })],
    ['a scope for an audience', () => ({ aud: `api://${ours}/user_impersonation` })],
    [
      'an address that begins with ours for an audience',
      () => ({ aud: `${sidecar.listening}.evil.example` }),
    ],
    ['our address on another port for an audience', () => ({ aud: `${sidecar.listening}0` })],
    ['a list in the list of audiences', () => ({ aud: [[ours]] as never })],
    ['an object for an audience', () => ({ aud: { 0: ours } as never })],
    ['no audience', () => ({ aud: undefined }) as never],
    ['the issuer with a slash', () => ({ iss: `${idp.url}/` })],
    [
      'the issuer of another tenant',
      () => ({ iss: `${idp.url}/5f1ab1c2-3d4e-4f50-8a6b-7c8d9e0f1a2b/v2.0` }),
    ],
    ['the issuer in a list', () => ({ iss: [idp.url] as never })],
    [
      'the issuer of the first version',
      () => ({ iss: 'https://sts.windows.net/5f1ab1c2-3d4e-4f50-8a6b-7c8d9e0f1a2b/' }),
    ],
    ['an end that is a text', () => ({ exp: String(seconds(600)) as never })],
    ['an end longer ago than clocks differ', () => ({ exp: seconds(-12) })],
    ['a beginning later than clocks differ', () => ({ nbf: seconds(20) })],
    ['a subject that is an object', () => ({ sub: { id: 'x' } as never })],
    ['an empty subject', () => ({ sub: '' })],
  ])('with %s are refused', async (_, more) => {
    const token = rawToken({ ...claims(), ...more() }, idp.privateKey);
    expectRefused(await post({ access_token: token }), [401]);
    expect(await asBearer(token)).toBe(401);
  });

  test('for this app, by its client id, its API or its address, are accepted', async () => {
    for (const aud of [
      ours,
      `api://${ours}`,
      ['someone-else', ours],
      sidecar.listening,
      `${sidecar.listening}/mcp`,
    ])
      expect(await asBearer(rawToken({ ...claims(), aud }, idp.privateKey))).toBe(200);
  });

  test('without an application do not match an allowed one if the claim is not text', async () => {
    const policy = { validation: { defaultAuthorizationPolicy: { allowedApplications: [ours] } } };
    const strict = await startUnderTest({
      config: directoryConfig(idp, {}, policy),
      upstream: app.url,
    });
    const statuses: number[] = [];
    for (const more of [
      {},
      { azp: ours },
      { azp: [ours] },
      { azp: null, appid: ['x'] },
      { azp: '' },
      { azp: 'other', appid: ours },
    ])
      statuses.push(
        (
          await request(strict.listening, {
            headers: {
              Authorization: `Bearer ${rawToken({ ...claims(), ...more }, idp.privateKey)}`,
            },
          })
        ).status,
      );
    await strict.stop();
    expect(statuses).toEqual([200, 200, 403, 403, 403, 403]);
  });

  test('with unknown key ids fetch the keys only a few times', async () => {
    const before = idp.calls.filter((call) => call === 'GET /keys').length;
    const tokens = await Promise.all(
      Array.from({ length: 120 }, (_, index) => idp.sign({}, { kid: `unknown-${index}` })),
    );
    for (const token of tokens)
      expect(
        (await request(sidecar.listening, { headers: { Authorization: `Bearer ${token}` } }))
          .status,
      ).toBe(401);
    expect(idp.calls.filter((call) => call === 'GET /keys').length - before).toBeLessThanOrEqual(5);
  });
});

describe('sign-ins in progress', () => {
  test('are at most twelve, under nine kilobytes', async () => {
    const jar = new CookieJar();
    for (let index = 0; index < 40; index++)
      await begin(
        jar,
        `/.auth/login/directory?post_login_redirect_uri=%2F${'x'.repeat(index % 2 === 0 ? 10 : 900)}`,
      );
    expect(jar.cookies.size).toBeLessThanOrEqual(12);
    expect(jar.header.length).toBeLessThan(9 * 1024);
    const { callback } = await begin(jar);
    expect(
      (
        await request(sidecar.listening, {
          path: callback,
          headers: { ...browser, ...cookie(jar) },
        })
      ).status,
    ).toBe(302);
  });

  test('accept only known parameters of the request', async () => {
    const loginResponse = await request(sidecar.listening, {
      path: '/.auth/login/directory?scope=evil&redirect_uri=https://evil.example&client_id=x&domain_hint=corp.example&state=mine',
    });
    const query = new URL(loginResponse.headers['location']?.[0] ?? '').searchParams;
    expect(query.getAll('scope')).toEqual(['openid profile email']);
    expect(query.getAll('client_id')).toEqual([idp.clientId]);
    expect(query.getAll('redirect_uri')).toEqual([
      `${sidecar.listening}/.auth/login/directory/callback`,
    ]);
    expect(query.get('domain_hint')).toBe('corp.example');
    expect(query.getAll('state')).not.toContain('mine');
    expect(
      (
        await request(sidecar.listening, {
          path: '/.auth/login/directory?domain_hint=a&domain_hint=b',
        })
      ).status,
    ).toBe(400);
  });
});

function post(body: unknown): Promise<RawAnswer> {
  return request(sidecar.listening, {
    method: 'POST',
    path: '/.auth/login/directory',
    headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' },
    body: JSON.stringify(body),
  });
}
