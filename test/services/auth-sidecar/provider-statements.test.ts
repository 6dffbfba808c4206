import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { SessionRegister } from '../../../services/auth-sidecar/session/session-register.js';
import { cookie, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, type CookieJar, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
const otherIdp = new TestIdentityProvider();
let app: RecordingApp;
beforeAll(async () => {
  await Promise.all([idp.start(), otherIdp.start()]);
  app = await startRecordingApp();
});
afterAll(async () => {
  await app.close();
  await Promise.all([idp.close(), otherIdp.close()]);
});

const customProvider = (provider: TestIdentityProvider) => ({
  registration: {
    clientId: provider.clientId,
    clientCredential: { clientSecretSettingName: 'directory-secret' },
    openIdConnectConfiguration: { issuer: provider.url },
  },
});

/** A sidecar with the directory, or with two custom providers. */
const start = (kind: 'directory' | 'custom') =>
  startUnderTest({
    config: {
      identityProviders:
        kind === 'directory'
          ? {
              azureActiveDirectory: {
                registration: {
                  clientId: idp.clientId,
                  clientSecretSettingName: 'directory-secret',
                  openIdIssuer: idp.url,
                },
              },
            }
          : {
              customOpenIdConnectProviders: {
                staff: customProvider(idp),
                partners: customProvider(otherIdp),
              },
            },
      globalValidation: { unauthenticatedClientAction: 'Return401' },
      login: { tokenStore: { enabled: true } },
    },
    upstream: app.url,
  });
type Sidecar = Awaited<ReturnType<typeof start>>;

const signInAs = async (
  sidecar: Sidecar,
  claims: JWTPayload,
  providerName = 'staff',
  provider = idp,
) => {
  provider.claims = claims;
  return (await signIn(sidecar, provider, `/.auth/login/${providerName}`)).jar;
};
const visit = (sidecar: Sidecar, jar: CookieJar) =>
  request(sidecar.url, { headers: { ...browser, ...cookie(jar) } }).then(({ status }) => status);

const logoutEvents = { 'http://schemas.openid.net/event/backchannel-logout': {} };
/** A logout token; a claim that is undefined is missing. */
const logoutToken = (claims: JWTPayload = {}, header: Record<string, unknown> = {}) =>
  idp.sign(
    {
      name: undefined,
      sub: 'ada',
      jti: randomUUID(),
      events: logoutEvents,
      exp: Math.floor(Date.now() / 1000) + 120,
      ...claims,
    },
    { typ: 'logout+jwt', ...header },
  );
const waitForStartOfSecond = () =>
  new Promise((done) => setTimeout(done, 1000 - (Date.now() % 1000)));
const formBody = (token: string) => `logout_token=${encodeURIComponent(token)}`;
const backChannel = (sidecar: Sidecar, body: string, type = 'application/x-www-form-urlencoded') =>
  request(sidecar.url, {
    method: 'POST',
    path: '/.auth/logout/backchannel',
    headers: { 'Content-Type': type },
    body,
  });

describe('back-channel logout', () => {
  test.each(['directory', 'custom'] as const)(
    'ends the sessions of a person (%s)',
    async (kind) => {
      const sidecar = await start(kind);
      const providerName = kind === 'directory' ? 'directory' : 'staff';
      const [ada, bob] = [
        await signInAs(sidecar, { sub: 'ada' }, providerName),
        await signInAs(sidecar, { sub: 'bob' }, providerName),
      ];
      const answer = await backChannel(sidecar, formBody(await logoutToken()));
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, ['no-store']]);
      expect([await visit(sidecar, ada), await visit(sidecar, bob)]).toEqual([401, 200]);
      await sidecar.stop();
    },
  );

  test('ends the one session of a sid', async () => {
    const sidecar = await start('custom');
    const [firstSession, secondSession] = [
      await signInAs(sidecar, { sub: 'ada', sid: 's1' }),
      await signInAs(sidecar, { sub: 'ada', sid: 's2' }),
    ];
    const token = await logoutToken({ sub: undefined, sid: 's1' });
    expect((await backChannel(sidecar, formBody(token))).status).toBe(200);
    expect([await visit(sidecar, firstSession), await visit(sidecar, secondSession)]).toEqual([
      401, 200,
    ]);
    await sidecar.stop();
  });

  test('ends the session of a sid that a refreshed ID token leaves out', async () => {
    const sidecar = await start('custom');
    const jar = await signInAs(sidecar, { sub: 'ada', sid: 's3' });
    idp.claims = { sub: 'ada' };
    idp.idTokenOnRefresh = true;
    const refreshed = await request(sidecar.url, {
      path: '/.auth/refresh',
      headers: { ...browser, ...cookie(jar) },
    });
    idp.idTokenOnRefresh = false;
    expect([refreshed.status, await visit(sidecar, jar)]).toEqual([200, 200]);
    const token = await logoutToken({ sub: undefined, sid: 's3' });
    expect((await backChannel(sidecar, formBody(token))).status).toBe(200);
    expect(await visit(sidecar, jar)).toBe(401);
    await sidecar.stop();
  });

  test('ends sessions from before it, and none that starts later in the same second', async () => {
    const sidecar = await start('custom');
    await waitForStartOfSecond();
    const before = await signInAs(sidecar, { sub: 'ada', sid: 's1' });
    for (const claims of [{}, { sub: undefined, sid: 's1' }]) {
      expect((await backChannel(sidecar, formBody(await logoutToken(claims)))).status).toBe(200);
      const after = await signInAs(sidecar, { sub: 'ada', sid: 's1' });
      expect([await visit(sidecar, before), await visit(sidecar, after)]).toEqual([401, 200]);
    }
    await sidecar.stop();
  });

  test.each([['sub', {}] as const, ['sid', { sub: undefined, sid: 's1' }] as const])(
    'by %s ends the sign-in whose code is being redeemed',
    async (_, claims) => {
      const sidecar = await start('custom');
      idp.delay = 600;
      idp.calls.length = 0;
      const signingIn = signInAs(sidecar, { sub: 'ada', sid: 's1' });
      await expect.poll(() => idp.calls.at(-1)).toBe('POST /token');
      expect((await backChannel(sidecar, formBody(await logoutToken(claims)))).status).toBe(200);
      expect(await visit(sidecar, await signingIn)).toBe(401);
      idp.delay = 0;
      expect(await visit(sidecar, await signInAs(sidecar, { sub: 'ada', sid: 's1' }))).toBe(200);
      await sidecar.stop();
    },
  );

  test('ends no session of another provider with the same subject', async () => {
    const sidecar = await start('custom');
    const jar = await signInAs(sidecar, { sub: 'ada' }, 'partners', otherIdp);
    expect((await backChannel(sidecar, formBody(await logoutToken()))).status).toBe(200);
    expect(await visit(sidecar, jar)).toBe(200);
    await sidecar.stop();
  });

  test.each<[string, () => Promise<string>]>([
    [
      'no signature (alg none)',
      () =>
        Promise.resolve(
          new UnsecuredJWT({ sub: 'ada', events: logoutEvents, jti: 'n' })
            .setIssuer(idp.url)
            .setAudience(idp.clientId)
            .setIssuedAt()
            .setExpirationTime('2m')
            .encode(),
        ),
    ],
    [
      'a signature of other keys',
      () =>
        new SignJWT({ sub: 'ada', events: logoutEvents, jti: 'f' })
          .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt', kid: 'key-1' })
          .setIssuer(idp.url)
          .setAudience(idp.clientId)
          .setIssuedAt()
          .setExpirationTime('2m')
          .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    ],
    [
      'a signature by the client secret',
      () =>
        new SignJWT({ sub: 'ada', events: logoutEvents, jti: 'h' })
          .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
          .setIssuer(idp.url)
          .setAudience(idp.clientId)
          .setIssuedAt()
          .setExpirationTime('2m')
          .sign(Buffer.from(idp.secret.padEnd(32, 'x'))),
    ],
    ['another issuer', () => logoutToken({ iss: 'https://evil.example' })],
    ['the issuer of another provider here', () => logoutToken({ iss: otherIdp.url })],
    ['no issuer', () => logoutToken({ iss: undefined })],
    ['another audience', () => logoutToken({ aud: 'client-2' })],
    ['no audience', () => logoutToken({ aud: undefined })],
    ['an end that is over', () => logoutToken({ exp: Math.floor(Date.now() / 1000) - 3600 })],
    ['no end', () => logoutToken({ exp: undefined })],
    ['no time of issue', () => logoutToken({ iat: undefined })],
    [
      'a time of issue of before yesterday',
      () => logoutToken({ iat: Math.floor(Date.now() / 1000) - 25 * 3600 }),
    ],
    ['a time of issue to come', () => logoutToken({ iat: Math.floor(Date.now() / 1000) + 3600 })],
    ['no jti', () => logoutToken({ jti: undefined })],
    ['an empty jti', () => logoutToken({ jti: '' })],
    ['neither sub nor sid', () => logoutToken({ sub: undefined })],
    ['an empty sub', () => logoutToken({ sub: '' })],
    ['a sid that is no string', () => logoutToken({ sid: ['s1'] })],
    ['no events', () => logoutToken({ events: undefined })],
    ['other events', () => logoutToken({ events: { 'https://x.example/event': {} } })],
    [
      'an event that is no object',
      () =>
        logoutToken({ events: { 'http://schemas.openid.net/event/backchannel-logout': 'yes' } }),
    ],
    ['a nonce', () => logoutToken({ nonce: 'n' })],
    ['an access token as type', () => logoutToken({}, { typ: 'at+jwt' })],
    ['a security event as type', () => logoutToken({}, { typ: 'secevent+jwt' })],
    ['critical headers', () => logoutToken({}, { crit: ['exp'], exp: 1 })],
    ['an ID token', () => idp.sign({ sub: 'ada', jti: 'id' })],
    ['text', () => Promise.resolve('no.such.token')],
  ])('is refused with %s', async (_, makeToken) => {
    const sidecar = await start('custom');
    const jar = await signInAs(sidecar, { sub: 'ada', sid: 's1' });
    // jose itself would not sign critical headers that it does not know.
    const token = await makeToken().catch(() => 'a.b.c');
    const answer = await backChannel(sidecar, formBody(token));
    expect([answer.status, answer.headers['cache-control']]).toEqual([400, ['no-store']]);
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'invalid_request' });
    expect(await visit(sidecar, jar)).toBe(200);
    await sidecar.stop();
  });

  test('is refused a second time, in another form, with two tokens, and by GET', async () => {
    const sidecar = await start('custom');
    const token = await logoutToken();
    expect((await backChannel(sidecar, formBody(token))).status).toBe(200);
    const jar = await signInAs(sidecar, { sub: 'ada' });
    expect((await backChannel(sidecar, formBody(token))).status).toBe(400);
    const next = await logoutToken();
    expect((await backChannel(sidecar, formBody(next), 'text/plain')).status).toBe(400);
    expect((await backChannel(sidecar, '')).status).toBe(400);
    expect((await backChannel(sidecar, `${formBody(next)}&${formBody(next)}`)).status).toBe(400);
    const byGet = await request(sidecar.url, {
      path: `/.auth/logout/backchannel?${formBody(next)}`,
    });
    expect(byGet.status).toBe(405);
    expect(await visit(sidecar, jar)).toBe(200);
    await sidecar.stop();
  });
});

describe('front-channel logout', () => {
  const loadFrame = (sidecar: Sidecar, query: string) =>
    request(sidecar.url, { path: `/.auth/logout/frontchannel${query}`, headers: browser });

  test('ends the session of iss and sid, in a frame without cookies', async () => {
    const sidecar = await start('custom');
    const [firstSession, secondSession] = [
      await signInAs(sidecar, { sub: 'ada', sid: 's1' }),
      await signInAs(sidecar, { sub: 'bob', sid: 's2' }),
    ];
    const foreign = await signInAs(sidecar, { sub: 'ada', sid: 's1' }, 'partners', otherIdp);
    const answer = await loadFrame(sidecar, `?iss=${encodeURIComponent(idp.url)}&sid=s1`);
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('x-frame-options');
    expect(answer.headers['cache-control']).toEqual(['no-store']);
    expect([
      await visit(sidecar, firstSession),
      await visit(sidecar, secondSession),
      await visit(sidecar, foreign),
    ]).toEqual([401, 200, 200]);
    await sidecar.stop();
  });

  test('of unknown sessions never looks through all of them', async () => {
    const sidecar = await start('custom');
    const jar = await signInAs(sidecar, { sub: 'ada', sid: 's1' });
    const list = vi.spyOn(SessionRegister.prototype, 'list');
    const known = `?iss=${encodeURIComponent(idp.url)}&sid=s1`;
    for (const query of ['?iss=x&sid=s1', known.replace('s1', 's2')])
      expect((await loadFrame(sidecar, query)).status).toBe(200);
    expect([list.mock.calls.length, await visit(sidecar, jar)]).toEqual([0, 200]);
    await loadFrame(sidecar, known);
    expect([list.mock.calls.length, await visit(sidecar, jar)]).toEqual([1, 401]);
    await loadFrame(sidecar, known);
    expect(list).toHaveBeenCalledTimes(1);
    await sidecar.stop();
  });

  test.each(['', '?sid=s1', '?iss=x', '?iss=x&sid=s1&sid=s2'])('%s is refused', async (query) => {
    const sidecar = await start('custom');
    expect((await loadFrame(sidecar, query)).status).toBe(400);
    await sidecar.stop();
  });
});

test('signing out goes on to the end_session_endpoint of a custom provider', async () => {
  const sidecar = await start('custom');
  const jar = await signInAs(sidecar, { sub: 'ada' });
  const answer = await request(sidecar.url, {
    path: '/.auth/logout',
    headers: { ...browser, ...cookie(jar) },
  });
  const url = new URL(answer.headers['location']?.[0] ?? '');
  expect(url.href.startsWith(`${idp.url}/end?`)).toBe(true);
  expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${sidecar.url}/.auth/logout/done`);
  await sidecar.stop();
});

/** The prefix of the names of CAEP events. */
const caep = 'https://schemas.openid.net/secevent/caep/event-type/';
const eventToken = (claims: JWTPayload = {}, header: Record<string, unknown> = {}) =>
  idp.sign(
    {
      name: undefined,
      sub: undefined,
      exp: undefined,
      jti: randomUUID(),
      sub_id: { format: 'iss_sub', iss: idp.url, sub: 'ada' },
      events: { [`${caep}session-revoked`]: { event_timestamp: 1 } },
      ...claims,
    },
    { typ: 'secevent+jwt', ...header },
  );
const push = (sidecar: Sidecar, token: string, type = 'application/secevent+jwt') =>
  request(sidecar.url, {
    method: 'POST',
    path: '/.auth/events',
    headers: { 'Content-Type': type, Accept: 'application/json' },
    body: token,
  });

describe('POST /.auth/events', () => {
  test.each<[string, JWTPayload]>([
    ['session-revoked', {}],
    [
      'credential-change',
      {
        events: {
          [`${caep}credential-change`]: { credential_type: 'password', change_type: 'update' },
        },
      },
    ],
    [
      'a subject within the event, as drafts had it',
      {
        sub_id: undefined,
        events: {
          [`${caep}session-revoked`]: { subject: { format: 'opaque', id: 'ada' } },
        },
      },
    ],
    ['an address', { sub_id: { format: 'email', email: 'Ada@corp.example' } }],
    ['a session', { sub_id: { format: 'complex', session: { format: 'opaque', id: 's1' } } }],
    [
      'a person and a session',
      {
        sub_id: {
          user: { format: 'iss_sub', iss: '', sub: 'ada' },
          session: { format: 'opaque', id: 's1' },
        },
      },
    ],
    ['the address of the receiver as audience', { aud: 'ORIGIN/.auth/events' }],
  ])('ends sessions by %s', async (_, claims) => {
    const sidecar = await start('custom');
    const [ada, bob] = [
      await signInAs(sidecar, { sub: 'ada', sid: 's1', email: 'ada@corp.example' }),
      await signInAs(sidecar, { sub: 'bob', sid: 's2' }),
    ];
    const text = JSON.stringify(claims)
      .replace('ORIGIN', sidecar.url)
      .replace('"iss":""', `"iss":"${idp.url}"`);
    const withoutSubject =
      'sub_id' in claims && claims['sub_id'] === undefined ? { sub_id: undefined } : {};
    const token = await eventToken({ ...(JSON.parse(text) as JWTPayload), ...withoutSubject });
    const answer = await push(sidecar, token);
    expect([answer.status, answer.body]).toEqual([202, '']);
    expect([await visit(sidecar, ada), await visit(sidecar, bob)]).toEqual([401, 200]);
    const again = await signInAs(sidecar, { sub: 'ada', sid: 's1', email: 'ada@corp.example' });
    expect((await push(sidecar, token)).status).toBe(202); // a second delivery
    expect(await visit(sidecar, again)).toBe(200);
    await sidecar.stop();
  });

  test('a verification, and an event of another kind, are taken and change nothing', async () => {
    const sidecar = await start('directory');
    const jar = await signInAs(sidecar, { sub: 'ada' }, 'directory');
    for (const type of [
      'https://schemas.openid.net/secevent/ssf/event-type/verification',
      `${caep}device-compliance-change`,
    ])
      expect(
        (await push(sidecar, await eventToken({ events: { [type]: { state: 'x' } } }))).status,
      ).toBe(202);
    expect(await visit(sidecar, jar)).toBe(200);
    await sidecar.stop();
  });

  test.each<[string, string, () => Promise<string>]>([
    ['invalid_issuer', 'another issuer', () => eventToken({ iss: 'https://evil.example' })],
    [
      'authentication_failed',
      'a signature of another provider',
      () => eventToken({ iss: otherIdp.url }),
    ],
    ['invalid_audience', 'another audience', () => eventToken({ aud: 'client-2' })],
    ['invalid_key', 'an unknown key', () => eventToken({}, { kid: 'key-9' })],
    ['invalid_request', 'the type of a logout token', () => eventToken({}, { typ: 'logout+jwt' })],
    ['invalid_request', 'no type', () => eventToken({}, { typ: undefined })],
    ['invalid_request', 'no jti', () => eventToken({ jti: undefined })],
    ['invalid_request', 'no iat', () => eventToken({ iat: undefined })],
    ['invalid_request', 'an old iat', () => eventToken({ iat: 1_000_000_000 })],
    ['invalid_request', 'an end that is over', () => eventToken({ exp: 1 })],
    ['invalid_request', 'no events', () => eventToken({ events: {} })],
    ['invalid_request', 'no subject', () => eventToken({ sub_id: undefined })],
    [
      'invalid_request',
      'a phone number as subject',
      () => eventToken({ sub_id: { format: 'phone_number', phone_number: '+1' } }),
    ],
    [
      'invalid_request',
      'an empty complex subject',
      () => eventToken({ sub_id: { format: 'complex' } }),
    ],
    [
      'access_denied',
      'a person of another issuer',
      () => eventToken({ sub_id: { format: 'iss_sub', iss: otherIdp.url, sub: 'ada' } }),
    ],
    ['invalid_request', 'text', () => Promise.resolve('text')],
    ['invalid_request', 'nothing', () => Promise.resolve('')],
  ])('refuses with %s: %s', async (err, _, makeToken) => {
    const sidecar = await start('custom');
    const [ada, partner] = [
      await signInAs(sidecar, { sub: 'ada' }),
      await signInAs(sidecar, { sub: 'ada' }, 'partners', otherIdp),
    ];
    const answer = await push(sidecar, await makeToken());
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']?.[0]).toContain('application/json');
    expect(answer.headers['content-language']).toEqual(['en']);
    expect(JSON.parse(answer.body)).toMatchObject({
      err,
      description: expect.any(String) as string,
    });
    expect([await visit(sidecar, ada), await visit(sidecar, partner)]).toEqual([200, 200]);
    await sidecar.stop();
  });

  test('refuses a body of spaces at once', async () => {
    const sidecar = await start('custom');
    const { body } = await push(sidecar, `${' '.repeat(256 * 1024 - 1)}x`);
    expect(JSON.parse(body)).toMatchObject({ err: 'invalid_request' });
    await sidecar.stop();
  });

  test('takes the content type application/secevent+jwt alone', async () => {
    const sidecar = await start('custom');
    expect((await push(sidecar, await eventToken(), 'application/jwt')).status).toBe(400);
    await sidecar.stop();
  });
});
