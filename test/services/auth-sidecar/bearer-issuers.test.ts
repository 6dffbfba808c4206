import { loadConfig, problemsOf } from '../../../services/auth-sidecar/index.js';
import { directoryConfig, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { type RawAnswer, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const directory = new TestIdentityProvider();
const buildIssuer = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;

beforeAll(async () => {
  await directory.start();
  await buildIssuer.start();
  app = await startRecordingApp();
  const issuers = [
    {
      issuer: buildIssuer.url,
      audiences: ['api://orders'],
      requiredClaims: { repository: ['shop', 'desk'] },
    },
    { issuer: 'http://127.0.0.1:1', audiences: ['api://orders'] },
  ];
  sidecar = await startUnderTest({
    config: directoryConfig(directory, {
      globalValidation: {
        unauthenticatedClientAction: 'Return401',
        excludedPaths: ['/public'],
      },
      login: { bearer: { issuers } },
    }),
    upstream: app.url,
  });
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await directory.close();
  await buildIssuer.close();
});
beforeEach(() => app.clear());

const sendToken = (token: string, path = '/'): Promise<RawAnswer> =>
  request(sidecar.url, { path, headers: { Authorization: `Bearer ${token}` } });
const claims = { aud: 'api://orders', sub: 'job-7', repository: 'shop' };

describe('login.bearer.issuers', () => {
  test('a token of an issuer reaches the app with its identity', async () => {
    expect((await sendToken(await buildIssuer.sign(claims))).status).toBe(200);
    expect(app.requests[0]?.headers).toMatchObject({
      'x-svc-client-principal-id': 'job-7',
      'x-svc-client-principal-idp': buildIssuer.url,
    });
  });

  test('tokens of the directory are taken as before', async () => {
    expect((await sendToken(await directory.sign({ aud: directory.clientId }))).status).toBe(200);
  });

  test.each([
    ['another audience', { ...claims, aud: 'api://other' }, 401],
    ['the audience of the directory', { ...claims, aud: 'client-1' }, 401],
    ['the address of the app as audience', { ...claims, aud: 'http://127.0.0.1' }, 401],
    ['another value of a claim', { ...claims, repository: 'evil' }, 403],
    ['no such claim', { aud: 'api://orders', sub: 'job-7' }, 403],
    ['an end in the past', { ...claims, exp: 1 }, 401],
    ['the nonce of an ID token', { ...claims, nonce: 'n' }, 401],
    ['another issuer', { ...claims, iss: 'https://evil.example' }, 401],
    ['the issuer of the directory', { ...claims, iss: directory.url }, 401],
  ])('a token with %s gets nothing', async (_, changedClaims, status) => {
    expect((await sendToken(await buildIssuer.sign(changedClaims))).status).toBe(status);
    expect(app.requests).toEqual([]);
  });

  test('a person whom the rules refuse is refused on public paths too, a stranger is anonymous', async () => {
    const refusedToken = await buildIssuer.sign({ ...claims, repository: 'evil' });
    expect((await sendToken(refusedToken, '/public')).status).toBe(403);
    expect(app.requests).toEqual([]);
    const expiredToken = await buildIssuer.sign({ ...claims, exp: 1 });
    expect((await sendToken(expiredToken, '/public')).status).toBe(200);
    expect(app.requests[0]?.headers).not.toHaveProperty('x-svc-client-principal-id');
  });

  test.each([
    ['a logout token', {}, { typ: 'logout+jwt' }, 401],
    ['a security event', {}, { typ: 'application/SecEvent+JWT' }, 401],
    ['a statement about events', { events: {} }, {}, 401],
    ['a token that is bound to a key', { cnf: { jkt: 'x' } }, {}, 401],
    ['an access token by its type', {}, { typ: 'at+jwt' }, 200],
    ['an access token by its whole type', {}, { typ: 'application/at+jwt' }, 200],
  ])('%s (claims %j, header %j) gets %i', async (_, extraClaims, header, status) => {
    expect(
      (await sendToken(await buildIssuer.sign({ ...claims, ...extraClaims }, header))).status,
    ).toBe(status);
  });

  test('a token of another signer, and of an issuer that can not be reached, get nothing', async () => {
    const forged = await directory.sign({ ...claims, iss: buildIssuer.url });
    expect((await sendToken(forged)).status).toBe(401);
    const unreachable = await buildIssuer.sign({ ...claims, iss: 'http://127.0.0.1:1' });
    expect((await sendToken(unreachable)).status).toBe(502);
    expect(app.requests).toEqual([]);
  });

  test('a directory that can not be reached closes neither public paths nor other issuers', async () => {
    const unreachable = new TestIdentityProvider();
    unreachable.url = 'http://127.0.0.1:1';
    const config = directoryConfig(unreachable, {
      globalValidation: {
        unauthenticatedClientAction: 'Return401',
        excludedPaths: ['/public'],
      },
      login: {
        tokenStore: { enabled: true },
        bearer: { issuers: [{ issuer: buildIssuer.url, audiences: ['api://orders'] }] },
      },
    });
    const withoutDirectory = await startUnderTest({ config, upstream: app.url });
    const visit = async (token: string, path: string): Promise<number> =>
      (await request(withoutDirectory.url, { path, headers: { Authorization: `Bearer ${token}` } }))
        .status;
    const ownToken = await directory.sign({ iss: 'https://app.example' });
    expect(await visit(ownToken, '/public')).toBe(200);
    expect(app.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${ownToken}` });
    expect(app.requests[0]?.headers).not.toHaveProperty('x-svc-client-principal-id');
    expect(await visit(ownToken, '/')).toBe(502);
    expect(await visit(ownToken, '/.auth/me')).toBe(502);
    expect(await visit(await buildIssuer.sign(claims), '/')).toBe(200);
    await withoutDirectory.stop();
  });

  test('no one can sign in at an issuer', async () => {
    const path = `/.auth/login/${encodeURIComponent(buildIssuer.url)}`;
    expect((await request(sidecar.url, { path })).status).toBe(404);
    expect((await request(sidecar.url, { path: '/.auth/login' })).body).not.toContain(
      buildIssuer.url,
    );
  });

  test('the metadata of the resource names the issuers', async () => {
    const { body } = await request(sidecar.url, {
      path: '/.well-known/oauth-protected-resource',
    });
    expect((JSON.parse(body) as { authorization_servers: string[] }).authorization_servers).toEqual(
      expect.arrayContaining([directory.url, buildIssuer.url]),
    );
  });

  test.each([
    ['https://a.example', 'client-1', 1],
    ['https://a.example', 'api://orders', 0],
    ['https://b.example', 'client-1', 0],
  ])('%s with the audience %s has %i warnings', (issuer, audience, count) => {
    const staff = {
      registration: {
        clientId: 'client-1',
        openIdConnectConfiguration: {
          wellKnownOpenIdConfiguration: 'https://a.example/.well-known/openid-configuration',
        },
      },
    };
    const env = {
      CASTELLAN_AUTH__identityProviders__customOpenIdConnectProviders__staff: JSON.stringify(staff),
      CASTELLAN_AUTH__login__bearer__issuers: JSON.stringify([{ issuer, audiences: [audience] }]),
    };
    const { warnings } = loadConfig({ dialect: 'neutral', secrets: { env } });
    expect(warnings).toEqual(
      count === 0 ? [] : [expect.stringContaining('"client-1" is the client id of staff')],
    );
  });

  test.each([
    [{ issuer: 'http://a.example', audiences: ['x'] }, '0.issuer', /https URL/],
    [{ issuer: 'https://a.example', audiences: [] }, '0.audiences', /at least one/],
    [{ issuer: 'https://a.example' }, '0.audiences', /is required/],
    [
      { issuer: 'https://a.example', audiences: ['x'], requiredClaims: { a: [] } },
      '0.requiredClaims.a',
      /at least one value/,
    ],
    [
      { issuer: 'https://a.example', audiences: ['x'], audience: 'y' },
      '0.audience',
      /did you mean/,
    ],
  ])('%j is refused', (entry, place, message) => {
    let problems: ReturnType<typeof problemsOf> = [];
    try {
      const env = { CASTELLAN_AUTH__login__bearer__issuers: JSON.stringify([entry]) };
      loadConfig({ dialect: 'neutral', secrets: { env } });
    } catch (error) {
      problems = problemsOf(error);
    }
    expect(problems).toEqual([
      {
        property: expect.stringContaining(`issuers.${place}`),
        message: expect.stringMatching(message),
      },
    ]);
  });
});
