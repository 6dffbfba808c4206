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
const otherIdp = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;
let shortNonceSidecar: SidecarUnderTest;

beforeAll(async () => {
  await idp.start();
  await otherIdp.start();
  app = await startRecordingApp();
  const config = directoryConfig(idp) as { identityProviders: Record<string, unknown> };
  config.identityProviders['customOpenIdConnectProviders'] = {
    second: {
      registration: {
        clientId: otherIdp.clientId,
        clientCredential: { clientSecretSettingName: 'directory-secret' },
        openIdConnectConfiguration: {
          wellKnownOpenIdConfiguration: `${otherIdp.url}/.well-known/openid-configuration`,
        },
      },
    },
  };
  sidecar = await startUnderTest({ config, upstream: app.url });
  shortNonceSidecar = await startUnderTest({
    config: { ...config, login: { nonce: { nonceExpirationInterval: '00:00:01' } } },
    upstream: app.url,
  });
});
afterAll(async () => {
  await sidecar.stop();
  await shortNonceSidecar.stop();
  await app.close();
  await idp.close();
  await otherIdp.close();
});
beforeEach(() => {
  idp.claims = {};
  idp.tokenRequests.length = 0;
  idp.sendsIss = false;
});

async function beginSignIn(
  jar = new CookieJar(),
  path = '/.auth/login/directory',
  target = sidecar,
): Promise<{ jar: CookieJar; callback: string }> {
  const loginResponse = await request(target.url, {
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
    const { callback } = await beginSignIn();
    const victim = await beginSignIn();
    expectRefused(
      await request(sidecar.url, {
        path: callback,
        headers: { ...browser, ...cookie(victim.jar) },
      }),
    );
    expectRefused(await request(sidecar.url, { path: callback, headers: browser }));
    expect(idp.tokenRequests).toEqual([]);
  });

  test('is accepted only once', async () => {
    const jar = new CookieJar();
    const loginResponse = await beginSignIn(jar);
    const before = jar.header;
    const first = await request(sidecar.url, {
      path: loginResponse.callback,
      headers: { ...browser, Cookie: before },
    });
    expect(first.status).toBe(302);
    expectRefused(
      await request(sidecar.url, {
        path: loginResponse.callback,
        headers: { ...browser, Cookie: before },
      }),
    );
    expect(idp.tokenRequests).toHaveLength(1);
  });

  test('of one provider is refused at another', async () => {
    const { jar, callback } = await beginSignIn();
    const callbackOfOtherProvider = callback.replace('/login/directory/', '/login/second/');
    expectRefused(
      await request(sidecar.url, {
        path: callbackOfOtherProvider,
        headers: { ...browser, ...cookie(jar) },
      }),
    );
    expect(otherIdp.tokenRequests).toEqual([]);
  });

  test('without state, with an unknown state or a changed one is refused', async () => {
    const { jar, callback } = await beginSignIn();
    for (const path of [
      callback.replace(/&?state=[^&]*/, ''),
      callback.replace(/state=.{3}/, 'state=AAA'),
      '/.auth/login/directory/callback',
    ])
      expectRefused(await request(sidecar.url, { path, headers: { ...browser, ...cookie(jar) } }));
    expect(idp.tokenRequests).toEqual([]);
  });

  test.each([
    '&code=second',
    '&state=second',
    '&error=access_denied',
    '&error=a&error=b',
    '&iss=https://a.example&iss=https://b.example',
  ])('with %s added is refused', async (extraParameters) => {
    const { jar, callback } = await beginSignIn();
    expectRefused(
      await request(sidecar.url, {
        path: callback + extraParameters,
        headers: { ...browser, ...cookie(jar) },
      }),
      [400, 401, 403],
    );
    expect(idp.tokenRequests).toEqual([]);
  });

  test('with a foreign issuer is refused, and so is one that lacks a required issuer', async () => {
    const { jar, callback } = await beginSignIn();
    expectRefused(
      await request(sidecar.url, {
        path: `${callback}&iss=${encodeURIComponent(otherIdp.url)}`,
        headers: { ...browser, ...cookie(jar) },
      }),
    );
    expect(idp.tokenRequests).toEqual([]);
    const correctIssuer = await beginSignIn();
    const answer = await request(sidecar.url, {
      path: `${correctIssuer.callback}&iss=${encodeURIComponent(idp.url)}`,
      headers: { ...browser, ...cookie(correctIssuer.jar) },
    });
    expect(answer.status).toBe(302);
  });

  test('with an error of the provider reports it, escaped', async () => {
    const { jar, callback } = await beginSignIn();
    const path = callback.replace(
      /code=[^&]*/,
      'error=access_denied&error_description=%3Cscript%3Ealert(1)%3C/script%3E',
    );
    const answer = await request(sidecar.url, {
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
    const { callbackAnswer } = await signIn(sidecar, idp);
    expectRefused(callbackAnswer);
  });

  test('after the nonce interval starts the sign-in again', async () => {
    const { jar, callback } = await beginSignIn(
      new CookieJar(),
      '/.auth/login/directory?post_login_redirect_uri=%2Fdeep',
      shortNonceSidecar,
    );
    await new Promise((done) => setTimeout(done, 2100));
    const answer = await request(shortNonceSidecar.url, {
      path: callback,
      headers: { ...browser, ...cookie(jar) },
    });
    expect(answer.status).toBe(302);
    expect(answer.headers['location']).toEqual([
      '/.auth/login/directory?post_login_redirect_uri=%2Fdeep',
    ]);
    expect(idp.tokenRequests).toEqual([]);
    expectRefused(await request(shortNonceSidecar.url, { path: callback, headers: browser }));
  });
});

describe('ID tokens', () => {
  test.each<[string, () => Promise<string>]>([
    ['of another audience', () => idp.sign({ aud: 'someone-else' })],
    ['of another issuer', () => idp.sign({ iss: otherIdp.url })],
    ['that expired', () => idp.sign({ exp: 1_600_000_000 })],
    ['without an end', () => idp.sign({ exp: undefined } as never)],
    ['without a subject', () => idp.sign({ sub: undefined } as never)],
    ['signed by someone else', () => otherIdp.sign({ iss: idp.url })],
    ['not yet valid', () => idp.sign({ nbf: Math.floor(Date.now() / 1000) + 3600 })],
    ['with critical headers', () => idp.sign({}, { crit: ['b64'], b64: true })],
  ])('%s are refused', async (_, makeToken) => {
    const answer = await postToken({ access_token: await makeToken() });
    expectRefused(answer, [401]);
  });

  const ourClientId = idp.clientId;
  test.each<[string, JWTPayload, boolean]>([
    ['of this client alone', { azp: ourClientId }, true],
    [
      'of two audiences, issued to this client',
      { aud: [ourClientId, 'someone-else'], azp: ourClientId },
      true,
    ],
    ['of this audience, issued to another client', { azp: 'someone-else' }, false],
    [
      'of two audiences, issued to the other',
      { aud: [ourClientId, 'someone-else'], azp: 'someone-else' },
      false,
    ],
    [
      'of two audiences, without the client that it was issued to',
      { aud: [ourClientId, 'someone-else'] },
      false,
    ],
    ['issued to a list of clients', { azp: [ourClientId] }, false],
  ])('%s create a session only for this client', async (_, claims, isAccepted) => {
    const { jar, callback } = await beginSignIn();
    idp.claims = claims;
    const answer = await request(sidecar.url, {
      path: callback,
      headers: { ...browser, ...cookie(jar) },
    });
    if (isAccepted) expect(answer.status).toBe(302);
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
      expectRefused(await postToken({ access_token: token }), [401]);
      expect(
        (await request(sidecar.url, { headers: { Authorization: `Bearer ${token}` } })).status,
      ).toBe(401);
    }
  });

  const claims = (): Record<string, unknown> => ({
    iss: idp.url,
    aud: idp.clientId,
    sub: 'x',
    exp: secondsFromNow(600),
  });
  const secondsFromNow = (offset: number): number => Math.floor(Date.now() / 1000) + offset;
  const asBearer = async (token: string): Promise<number> =>
    (await request(sidecar.url, { headers: { Authorization: `Bearer ${token}` } })).status;

  test.each(forgedTokens(claims, () => idp.privateKey))(
    'with %s are refused',
    async (_, makeToken) => {
      const token = await makeToken();
      expectRefused(await postToken({ access_token: token }), [401]);
      expect(await asBearer(token)).toBe(401);
    },
  );

  test.each<[string, () => JWTPayload]>([
    ['an audience that begins with ours', () => ({ aud: `${ourClientId}-other` })],
    ['an audience that ours begins with', () => ({ aud: ourClientId.slice(0, -1) })],
    ['an audience in capitals', () => ({ aud: ourClientId.toUpperCase() })],
    ['an audience with a slash', () => ({ aud: `${ourClientId}/` })],
    ['the audience of another API', () => ({ aud: `api://${ourClientId}-other` })],
    ['a scope for an audience', () => ({ aud: `api://${ourClientId}/user_impersonation` })],
    [
      'an address that begins with ours for an audience',
      () => ({ aud: `${sidecar.url}.evil.example` }),
    ],
    ['our address on another port for an audience', () => ({ aud: `${sidecar.url}0` })],
    ['a list in the list of audiences', () => ({ aud: [[ourClientId]] as never })],
    ['an object for an audience', () => ({ aud: { 0: ourClientId } as never })],
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
    ['an end that is a text', () => ({ exp: String(secondsFromNow(600)) as never })],
    ['an end longer ago than clocks differ', () => ({ exp: secondsFromNow(-12) })],
    ['a beginning later than clocks differ', () => ({ nbf: secondsFromNow(20) })],
    ['a time of issue later than clocks differ', () => ({ iat: secondsFromNow(20) })],
    ['a subject that is an object', () => ({ sub: { id: 'x' } as never })],
    ['an empty subject', () => ({ sub: '' })],
  ])('with %s are refused', async (_, changedClaims) => {
    const token = rawToken({ ...claims(), ...changedClaims() }, idp.privateKey);
    expectRefused(await postToken({ access_token: token }), [401]);
    expect(await asBearer(token)).toBe(401);
  });

  test('for this app, by its client id, its API or its address, are accepted', async () => {
    for (const aud of [
      ourClientId,
      `api://${ourClientId}`,
      ['someone-else', ourClientId],
      sidecar.url,
      `${sidecar.url}/mcp`,
    ])
      expect(await asBearer(rawToken({ ...claims(), aud }, idp.privateKey))).toBe(200);
  });

  test('without an application do not match an allowed one if the claim is not text', async () => {
    const policy = {
      validation: { defaultAuthorizationPolicy: { allowedApplications: [ourClientId] } },
    };
    const restrictedSidecar = await startUnderTest({
      config: directoryConfig(idp, {}, policy),
      upstream: app.url,
    });
    const statuses: number[] = [];
    for (const changedClaims of [
      {},
      { azp: ourClientId },
      { azp: [ourClientId] },
      { azp: null, appid: ['x'] },
      { azp: '' },
      { azp: 'other', appid: ourClientId },
    ])
      statuses.push(
        (
          await request(restrictedSidecar.url, {
            headers: {
              Authorization: `Bearer ${rawToken({ ...claims(), ...changedClaims }, idp.privateKey)}`,
            },
          })
        ).status,
      );
    await restrictedSidecar.stop();
    expect(statuses).toEqual([200, 200, 403, 403, 403, 403]);
  });

  test('with unknown key ids fetch the keys only a few times', async () => {
    const before = idp.calls.filter((call) => call === 'GET /keys').length;
    const tokens = await Promise.all(
      Array.from({ length: 120 }, (_, index) => idp.sign({}, { kid: `unknown-${index}` })),
    );
    for (const token of tokens)
      expect(
        (await request(sidecar.url, { headers: { Authorization: `Bearer ${token}` } })).status,
      ).toBe(401);
    expect(idp.calls.filter((call) => call === 'GET /keys').length - before).toBeLessThanOrEqual(5);
  });
});

describe('sign-ins in progress', () => {
  test('are at most twelve, under nine kilobytes', async () => {
    const jar = new CookieJar();
    for (let index = 0; index < 40; index++)
      await beginSignIn(
        jar,
        `/.auth/login/directory?post_login_redirect_uri=%2F${'x'.repeat(index % 2 === 0 ? 10 : 900)}`,
      );
    expect(jar.cookies.size).toBeLessThanOrEqual(12);
    expect(jar.header.length).toBeLessThan(9 * 1024);
    const { callback } = await beginSignIn(jar);
    expect(
      (
        await request(sidecar.url, {
          path: callback,
          headers: { ...browser, ...cookie(jar) },
        })
      ).status,
    ).toBe(302);
  });

  test('are kept by the browser longer than their nonce interval', async () => {
    const config = directoryConfig(idp, {
      login: { nonce: { nonceExpirationInterval: '1.00:00:00' } },
    });
    const daySidecar = await startUnderTest({ config, upstream: app.url });
    const loginResponse = await request(daySidecar.url, { path: '/.auth/login/directory' });
    const [, maxAge] = /Max-Age=(\d+)/.exec(loginResponse.headers['set-cookie']?.[0] ?? '') ?? [];
    expect(Number(maxAge)).toBeGreaterThan(24 * 3600);
    await daySidecar.stop();
  });

  test('accept only known parameters of the request', async () => {
    const loginResponse = await request(sidecar.url, {
      path: '/.auth/login/directory?scope=evil&redirect_uri=https://evil.example&client_id=x&domain_hint=corp.example&state=mine',
    });
    const query = new URL(loginResponse.headers['location']?.[0] ?? '').searchParams;
    expect(query.getAll('scope')).toEqual(['openid profile email']);
    expect(query.getAll('client_id')).toEqual([idp.clientId]);
    expect(query.getAll('redirect_uri')).toEqual([`${sidecar.url}/.auth/login/directory/callback`]);
    expect(query.get('domain_hint')).toBe('corp.example');
    expect(query.getAll('state')).not.toContain('mine');
    expect(
      (
        await request(sidecar.url, {
          path: '/.auth/login/directory?domain_hint=a&domain_hint=b',
        })
      ).status,
    ).toBe(400);
  });
});

function postToken(body: unknown): Promise<RawAnswer> {
  return request(sidecar.url, {
    method: 'POST',
    path: '/.auth/login/directory',
    headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' },
    body: JSON.stringify(body),
  });
}
