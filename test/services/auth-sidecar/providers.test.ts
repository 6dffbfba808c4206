import { cookie, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { everyProvider, serverFlow } from './support/every-provider.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { OAuthDoubles } from './support/oauth-doubles.js';
import { browser, type RawAnswer, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
const doubles = new OAuthDoubles();
let app: RecordingApp;
let neutral: SidecarUnderTest;
let azure: SidecarUnderTest;

beforeAll(async () => {
  await idp.start();
  await doubles.start();
  app = await startRecordingApp();
  const endpoints = {
    ...doubles.endpoints,
    legacyMicrosoftAccount: { issuer: idp.url, user: `${idp.url}/user` },
    google: { issuer: idp.url },
  };
  const shape = {
    config: everyProvider(idp),
    upstream: app.url,
    endpoints,
    secrets: { 'oauth-secret': 'oauth-secret', 'consumer-secret': 'consumer-secret' },
  };
  neutral = await startUnderTest(shape);
  azure = await startUnderTest({ ...shape, options: { dialect: 'azure' } });
});
afterAll(async () => {
  await neutral.stop();
  await azure.stop();
  await app.close();
  await idp.close();
  await doubles.close();
});
beforeEach(() => {
  app.clear();
  idp.claims = {};
  idp.user = undefined;
});

const openIdCallback = (location: URL): string => {
  const { pathname, search } = new URL(idp.authorize(location));
  return pathname + search;
};
const codeCallback = (word: string) => (location: URL) =>
  `/.auth/login/${word}/callback?code=good&state=${location.searchParams.get('state') ?? ''}`;
const tokenCallback = (word: string) => (location: URL) =>
  `/.auth/login/${word}/callback?oauth_token=${location.searchParams.get('oauth_token') ?? ''}&oauth_verifier=verified`;

describe('the server flow', () => {
  test.each<[string, string, (location: URL) => string, Record<string, string | RegExp>]>([
    [
      'directory',
      'aad',
      openIdCallback,
      {
        name: 'Ada Lovelace',
        'id-token': /^ey/,
        'access-token': /^access/,
        'refresh-token': /^refresh/,
        'expires-on': /^20/,
      },
    ],
    [
      'personal',
      'microsoftaccount',
      openIdCallback,
      { name: 'Ada Lovelace', 'access-token': /^access/ },
    ],
    ['search', 'google', openIdCallback, { name: 'Ada Lovelace', 'id-token': /^ey/ }],
    [
      'social',
      'facebook',
      codeCallback('social'),
      { name: 'Ada Social', 'access-token': 'token-of-social', 'expires-on': /^20/ },
    ],
    [
      'codehost',
      'github',
      codeCallback('codehost'),
      { name: 'ada-code', 'access-token': 'token-of-code' },
    ],
    [
      'microblog',
      'twitter',
      tokenCallback('microblog'),
      { name: 'Ada Micro', 'access-token': 'micro-token', 'access-token-secret': 'micro-secret' },
    ],
    ['corp', 'corp', openIdCallback, { name: 'Ada Lovelace', 'access-token': /^access/ }],
  ])('signs in with %s (%s in the azure dialect)', async (word, cloudWord, callback, expected) => {
    for (const [sidecar, pathName, vendor] of [
      [neutral, word, 'svc'],
      [azure, cloudWord, 'ms'],
    ] as const) {
      app.clear();
      const { callbackAnswer } = await serverFlow(sidecar, pathName, (location) =>
        callback(location).replace(`/login/${word}/`, `/login/${pathName}/`),
      );
      expect(callbackAnswer.status).toBe(302);
      const { headers } = app.requests[0] as RecordingApp['requests'][0];
      expect(headers[`x-${vendor}-client-principal-idp`]).toBe(pathName);
      const { name, ...tokens } = expected;
      expect(headers[`x-${vendor}-client-principal-name`]).toBe(name);
      for (const [kind, value] of Object.entries(tokens))
        expect(headers[`x-${vendor}-token-${pathName}-${kind}`]).toMatch(value);
    }
  });

  test('the microblog provider can be called by both names', async () => {
    for (const [sidecar, words] of [
      [neutral, ['microblog', 'micropost']],
      [azure, ['twitter', 'x']],
    ] as const) {
      for (const word of words) {
        expect((await request(sidecar.url, { path: `/.auth/login/${word}` })).status).toBe(302);
        expect(
          (
            await post(sidecar, word, {
              access_token: 'micro-token',
              access_token_secret: 'micro-secret',
            })
          ).status,
        ).toBe(200);
      }
    }
  });

  test('a denied microblog sign-in is reported as denied', async () => {
    const { callbackAnswer } = await serverFlow(
      neutral,
      'microblog',
      () => '/.auth/login/microblog/callback?denied=request-1',
    );
    expect(callbackAnswer.status).toBe(401);
  });

  test('the name is that of the configured claim, and comes from the user endpoint if the ID token has none', async () => {
    idp.claims = { nick: 'the countess', name: 'Ada' };
    await serverFlow(neutral, 'corp', openIdCallback);
    expect(app.requests[0]?.headers['x-svc-client-principal-name']).toBe('the countess');
    app.clear();
    idp.claims = { name: undefined } as never;
    idp.user = { sub: 'subject-1', name: 'From the user endpoint' };
    await serverFlow(neutral, 'search', openIdCallback);
    expect(app.requests[0]?.headers['x-svc-client-principal-name']).toBe('From the user endpoint');
  });

  test('configured parameters are sent', async () => {
    const loginResponse = await request(neutral.url, { path: '/.auth/login/directory' });
    const { searchParams } = new URL(loginResponse.headers['location']?.[0] ?? '');
    expect(searchParams.get('scope')).toBe('openid offline_access');
    expect(searchParams.get('resource')).toBe('abc');
    const search = await request(neutral.url, {
      path: '/.auth/login/search?access_type=offline',
    });
    expect(new URL(search.headers['location']?.[0] ?? '').searchParams.get('access_type')).toBe(
      'offline',
    );
  });
});

describe('several providers without a default', () => {
  test('a page links each', async () => {
    const answer = await request(neutral.url, { path: '/deep?x=1', headers: browser });
    for (const word of [
      'directory',
      'personal',
      'search',
      'social',
      'codehost',
      'microblog',
      'corp',
    ])
      expect(answer.body).toContain(
        `href="/.auth/login/${word}?post_login_redirect_uri=%2Fdeep%3Fx%3D1"`,
      );
    expect((await request(neutral.url, { path: '/.auth/login', headers: browser })).status).toBe(
      200,
    );
    expect((await request(neutral.url, { path: '/deep' })).status).toBe(401);
  });
});

describe('the client flow', () => {
  const sign = (claims = {}): Promise<string> => idp.sign(claims);

  test.each<[string, string, () => Promise<unknown>, number]>([
    [
      'directory',
      'an access token',
      async () => ({
        access_token: await sign({ oid: 'o-1' }),
        refresh_token: 'r',
        expires_in: 60,
      }),
      200,
    ],
    [
      'directory',
      'an access token and its ID token',
      async () => ({ access_token: await sign(), id_token: await sign() }),
      200,
    ],
    [
      'directory',
      "someone else's ID token",
      async () => ({ access_token: await sign(), id_token: await sign({ sub: 'other' }) }),
      401,
    ],
    ['directory', 'an ID token alone', async () => ({ id_token: await sign() }), 400],
    [
      'personal',
      'an authentication token',
      async () => ({ authentication_token: await sign() }),
      200,
    ],
    [
      'personal',
      'a bad authentication token beside a good access token',
      async () => ({ authentication_token: 'bad', access_token: 'good' }),
      401,
    ],
    ['personal', 'an access token', async () => ({ access_token: 'good' }), 200],
    ['personal', 'neither', async () => ({ id_token: 'x' }), 400],
    ['search', 'an ID token', async () => ({ id_token: await sign() }), 200],
    [
      'search',
      'an ID token of another app',
      async () => ({ id_token: await sign({ aud: 'other' }) }),
      401,
    ],
    [
      'search',
      'an ID token issued to another client',
      async () => ({ id_token: await sign({ azp: 'other' }) }),
      401,
    ],
    [
      'personal',
      'an ID token issued to another client',
      async () => ({ authentication_token: await sign({ azp: 'other' }) }),
      401,
    ],
    ['search', 'an access token', async () => ({ access_token: 'x' }), 400],
    ['social', 'a token of this app', async () => ({ access_token: 'token-of-social' }), 200],
    [
      'social',
      'a token of another app',
      async () => ({ access_token: 'token-of-another-app' }),
      401,
    ],
    ['social', 'no token', async () => ({}), 400],
    [
      'microblog',
      'a token and its secret',
      async () => ({ access_token: 'micro-token', access_token_secret: 'micro-secret' }),
      200,
    ],
    [
      'microblog',
      'a wrong secret',
      async () => ({ access_token: 'micro-token', access_token_secret: 'x' }),
      401,
    ],
    [
      'microblog',
      'half a letter',
      async () => ({ access_token: '\ud800', access_token_secret: 'micro-secret' }),
      401,
    ],
    ['microblog', 'no secret', async () => ({ access_token: 'micro-token' }), 400],
    ['codehost', 'a token', async () => ({ access_token: 'token-of-code' }), 200],
    [
      'codehost',
      'a token of another app',
      async () => ({ access_token: 'token-of-another-app' }),
      401,
    ],
    ['corp', 'an ID token', async () => ({ id_token: await sign() }), 200],
    [
      'corp',
      'a forged ID token',
      async () => ({ id_token: `${(await sign()).slice(0, -4)}AAAA` }),
      401,
    ],
  ])('%s: %s', async (word, _, body, status) => {
    idp.user = { sub: 'personal-1', name: 'Ada Personal' };
    const answer = await post(neutral, word, await body());
    expect(answer.status).toBe(status);
    const parsed = JSON.parse(answer.body) as { authenticationToken?: string };
    if (status !== 200) return expect(parsed.authenticationToken).toBeUndefined();
    expect(Object.keys(parsed)).toEqual(['authenticationToken', 'user']);
    expect(
      (
        await request(neutral.url, {
          headers: { 'X-SVC-AUTH': String(parsed.authenticationToken) },
        })
      ).status,
    ).toBe(200);
    return undefined;
  });

  test.each([
    ['search', 'id_token', undefined],
    ['personal', 'authentication_token', undefined],
    ['corp', 'id_token', 'theirs'], // a configuration cannot name its user endpoint
  ])(
    '%s: an access token beside is kept if the user endpoint says that it is of the same person, or none is known',
    async (word, name, ofSomeoneElse) => {
      for (const [sub, expected] of [
        ['subject-1', 'theirs'],
        ['someone-else', ofSomeoneElse],
      ] as const) {
        idp.user = { sub };
        app.clear();
        const answer = await post(neutral, word, { [name]: await sign(), access_token: 'theirs' });
        expect(answer.status).toBe(200);
        const { authenticationToken } = JSON.parse(answer.body) as { authenticationToken: string };
        await request(neutral.url, { headers: { 'X-SVC-AUTH': authenticationToken } });
        expect(app.requests[0]?.headers[`x-svc-token-${word}-access-token`]).toBe(expected);
      }
    },
  );

  test.each([
    ['codehost', 'gitHub', 'checkToken', 'token-of-code'],
    ['social', 'facebook', 'debugToken', 'token-of-social'],
  ])(
    '%s: a token is accepted if no endpoint tells for which app it was issued',
    async (word, key, endpoint, token) => {
      const { [endpoint]: _, ...others } = doubles.endpoints[key] ?? {};
      const sidecar = await startUnderTest({
        config: everyProvider(idp),
        upstream: app.url,
        endpoints: { ...doubles.endpoints, [key]: others },
        secrets: { 'oauth-secret': 'oauth-secret', 'consumer-secret': 'consumer-secret' },
      });
      expect((await post(sidecar, word, { access_token: token })).status).toBe(200);
      await sidecar.stop();
    },
  );

  test.each([
    ['codehost', 'token-of-code'],
    ['social', 'token-of-social'],
  ])('%s: the session ends with a token that the provider lets expire', async (word, token) => {
    doubles.expiresAt = Math.floor(Date.now() / 1000) + 2;
    const answer = await post(neutral, word, { access_token: token });
    doubles.expiresAt = undefined;
    const { authenticationToken } = JSON.parse(answer.body) as { authenticationToken: string };
    const visit = async (): Promise<number> =>
      (await request(neutral.url, { headers: { 'X-SVC-AUTH': authenticationToken } })).status;
    expect(await visit()).toBe(200);
    await vi.waitFor(async () => expect(await visit()).toBe(401), { timeout: 4000, interval: 200 });
  });

  test('after a sign-out, an opaque token posted before is refused, and a new one accepted', async () => {
    const postToken = async (text: string) => {
      const { status, body } = await post(neutral, 'codehost', { access_token: text });
      return [status, (JSON.parse(body) as { authenticationToken?: string }).authenticationToken];
    };
    const [, session] = await postToken('token-of-code');
    const headers = { 'X-SVC-AUTH': String(session) };
    expect((await request(neutral.url, { path: '/.auth/logout', headers })).status).toBe(302);
    expect((await postToken('token-of-code'))[0]).toBe(401);
    expect((await postToken('token-of-code-2'))[0]).toBe(200);
  });

  test('user ids begin with sid: in the azure dialect only', async () => {
    const id = async (sidecar: SidecarUnderTest, word: string): Promise<string> =>
      (
        JSON.parse(
          (await post(sidecar, word, { access_token: await sign({ oid: 'o-1' }) })).body,
        ) as {
          user: { userId: string };
        }
      ).user.userId;
    expect(await id(neutral, 'directory')).toBe('o-1');
    expect(await id(azure, 'aad')).toBe('sid:o-1');
  });

  test('an authorization code stores tokens', async () => {
    const code = new URL(
      idp.authorize(new URL(`${idp.url}/authorize?redirect_uri=https://native.example/back`)),
    ).searchParams.get('code');
    const answer = await post(neutral, 'search', {
      id_token: await sign(),
      authorization_code: code,
      redirect_uri: 'https://native.example/back',
    });
    expect(answer.status).toBe(200);
    const { authenticationToken } = JSON.parse(answer.body) as { authenticationToken: string };
    const me = await request(neutral.url, {
      path: '/.auth/me',
      headers: { 'X-SVC-AUTH': authenticationToken },
    });
    expect(JSON.parse(me.body)).toMatchObject([
      {
        provider_name: 'search',
        access_token: expect.stringMatching(/^access/),
        refresh_token: expect.stringMatching(/^refresh/),
      },
    ]);
    const wrong = await post(neutral, 'search', {
      id_token: await sign(),
      authorization_code: 'unknown',
    });
    expect(wrong.status).toBe(401);
  });

  test('an authorization code whose answer has no ID token is refused', async () => {
    idp.tokenFailure = [200, { access_token: 'access-other', refresh_token: 'refresh-other' }];
    const answer = await post(neutral, 'search', {
      id_token: await sign(),
      authorization_code: 'of-another-person',
    });
    idp.tokenFailure = undefined;
    expect(answer.status).toBe(401);
    expect(answer.body).not.toContain('authenticationToken');
  });
});

describe('refreshing', () => {
  test('is not supported for the social network', async () => {
    const { jar } = await serverFlow(neutral, 'social', codeCallback('social'));
    expect(
      (await request(neutral.url, { path: '/.auth/refresh', headers: cookie(jar) })).status,
    ).toBe(400);
  });

  test('simultaneous ones make one call, and a revoked consent is 403', async () => {
    const { jar } = await serverFlow(neutral, 'directory', openIdCallback);
    idp.delay = 200;
    idp.tokenRequests.length = 0;
    const answers = await Promise.all(
      [1, 2, 3].map(() => request(neutral.url, { path: '/.auth/refresh', headers: cookie(jar) })),
    );
    idp.delay = 0;
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(idp.tokenRequests).toHaveLength(1);
    idp.refreshAllowed = false;
    expect(
      (await request(neutral.url, { path: '/.auth/refresh', headers: cookie(jar) })).status,
    ).toBe(403);
    idp.refreshAllowed = true;
    expect((await request(neutral.url, { path: '/.auth/refresh' })).status).toBe(401);
  });
});

test('new keys of a provider are found at once', async () => {
  idp.rotate();
  expect((await post(neutral, 'directory', { access_token: await idp.sign({}) })).status).toBe(200);
});

test('protected-resource metadata names the authorization server', async () => {
  const answer = await request(neutral.url, {
    path: '/.well-known/oauth-protected-resource/mcp',
  });
  expect(JSON.parse(answer.body)).toEqual({
    resource: `${neutral.url}/mcp`,
    authorization_servers: [idp.url],
    scopes_supported: ['openid', 'offline_access'],
    bearer_methods_supported: ['header'],
  });
});

function post(sidecar: SidecarUnderTest, word: string, body: unknown): Promise<RawAnswer> {
  return request(sidecar.url, {
    method: 'POST',
    path: `/.auth/login/${word}`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
