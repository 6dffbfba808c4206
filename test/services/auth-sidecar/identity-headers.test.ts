import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { SidecarPair } from './support/sidecar-pair.js';
import { type CookieJar, request, sendRaw } from './support/raw-client.js';

const sidecars = new SidecarPair();
let jar: CookieJar;
beforeAll(async () => {
  await sidecars.start();
  jar = (await signIn(sidecars.restricted, sidecars.idp)).jar;
});
afterAll(() => sidecars.stop());
beforeEach(() => sidecars.app.clear());

const identityHeaderPattern = /client.?principal|svc.?token|ms.?token|ms.?auth|zumo|svc.?auth/i;

describe('identity headers', () => {
  const aliases = [
    'X-SVC-CLIENT-PRINCIPAL-NAME',
    'x-svc-client-principal',
    'X_SVC_CLIENT_PRINCIPAL_NAME',
    'X.SVC.CLIENT.PRINCIPAL.NAME',
    'X-SVC-CLIENT_PRINCIPAL-ID',
    'xsvcclientprincipalid',
    "X'SVC|CLIENT~PRINCIPAL^NAME",
    'X-SVC-CLIENT-PRINCIPAL-ANYTHING',
    'X-Svc-Token-Directory-Access-Token',
    'X_SVC.TOKEN-SEARCH-ID-TOKEN',
    'X-MS-CLIENT-PRINCIPAL-NAME',
    'x_ms_client_principal',
    'X-MS-TOKEN-AAD-ACCESS-TOKEN',
    'X-ZUMO-AUTH',
    'X-MS-AUTH',
    'X-MS-AUTH-TOKEN',
    'x_ms_auth_anything',
    'X-SVC-AUTH',
    'X.SVC.AUTH',
    '`X`SVC`CLIENT`PRINCIPAL`',
  ];

  test.each(aliases)('%s from outside never reaches the app', async (name) => {
    expect(
      (
        await request(sidecars.permissive.url, {
          headers: { [name]: 'admin', [`${name}-2`]: 'admin' },
        })
      ).status,
    ).toBe(200);
    expect(
      sidecars.app.requests[0]?.rawHeaders.filter(
        (each) => identityHeaderPattern.test(each) || each === 'admin',
      ),
    ).toEqual([]);
  });

  test.each(['/public/x', '/health/live', '/'])(
    'never reach the app from outside, also on the excluded path %s',
    async (path) => {
      await request(sidecars.restricted.url, {
        path,
        headers: { 'X-SVC-CLIENT-PRINCIPAL-NAME': 'admin', x_svc_client_principal_id: '1' },
      });
      expect(
        sidecars.app.requests[0]?.rawHeaders.filter((each) => identityHeaderPattern.test(each)),
      ).toEqual([]);
    },
  );

  test('keep groups apart that differ in white space alone', async () => {
    const { idp, app } = sidecars;
    idp.claims = { groups: ['admins\u00a0', ' admins', 'admins\u2003'] };
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, {}),
      upstream: app.url,
      options: { forwardUserHeaders: true },
    });
    const { jar } = await signIn(sidecar, idp);
    idp.claims = {};
    await request(sidecar.url, { headers: cookie(jar) });
    expect(app.requests.at(-1)?.headers['x-forwarded-groups']).toBe(
      'admins%C2%A0,%20admins,admins%E2%80%83',
    );
    await sidecar.stop();
  });

  test('of the session occur once, whatever the client sends', async () => {
    await request(sidecars.restricted.url, {
      headers: { ...cookie(jar), 'X-SVC-CLIENT-PRINCIPAL-NAME': ['admin', 'root'] },
    });
    const rawHeaders = sidecars.app.requests[0]?.rawHeaders ?? [];
    const names = rawHeaders.filter(
      (each, index) => index % 2 === 0 && /principal-name/i.test(each),
    );
    expect(names).toEqual(['X-SVC-CLIENT-PRINCIPAL-NAME']);
    expect(rawHeaders[rawHeaders.indexOf('X-SVC-CLIENT-PRINCIPAL-NAME') + 1]).toBe('Ada Lovelace');
  });

  test.each([
    'X-SVC-CLIENT-PRINCIPAL-NAME',
    'x-svc-client-principal-id, X-Svc-Client-Principal',
    'X-Forwarded-For, close',
    'host',
  ])('cannot be taken away by naming "%s" in Connection', async (tokens) => {
    await request(sidecars.restricted.url, {
      headers: { ...cookie(jar), Connection: tokens },
    });
    expect(sidecars.app.requests[0]?.headers).toMatchObject({
      'x-svc-client-principal-name': 'Ada Lovelace',
      'x-svc-client-principal-id': 'subject-1',
      'x-forwarded-for': '127.0.0.1',
      host: new URL(sidecars.restricted.url).host,
    });
  });

  test('cannot arrive as trailers', async () => {
    const body = '3\r\nabc\r\n0\r\nX-SVC-CLIENT-PRINCIPAL-NAME: admin\r\n\r\n';
    await sendRaw(
      sidecars.permissive.url,
      `POST / HTTP/1.1\r\nHost: ${sidecars.host}\r\nTransfer-Encoding: chunked\r\nTrailer: X-SVC-CLIENT-PRINCIPAL-NAME\r\n\r\n${body}`,
    );
    expect(sidecars.app.requests[0]?.body).toBe('abc');
    expect(sidecars.app.bytes()).not.toMatch(/admin|Trailer/);
  });

  test('headers that the client lists in Connection are removed', async () => {
    await request(sidecars.permissive.url, {
      headers: { Connection: 'x-secret, keep-alive', 'X-Secret': '1', 'X-Kept': '2' },
    });
    expect(sidecars.app.requests[0]?.headers['x-secret']).toBeUndefined();
    expect(sidecars.app.requests[0]?.headers['x-kept']).toBe('2');
  });

  test("the sidecar's own cookies are removed, the app's are forwarded", async () => {
    await request(sidecars.restricted.url, {
      headers: {
        Cookie: `a=1; ${jar.header}; SvcAuthLogin.x=2; __Host-SvcAuthSession=y; AppServiceAuthSession=z; b="2 3"`,
      },
    });
    expect(sidecars.app.requests[0]?.headers['cookie']).toBe('a=1; b="2 3"');
  });

  test.each(['AppServiceAuthSession', 'appserviceauthsession', '__Host-SVCAUTHSESSION'])(
    'a cookie with the name %s is removed beside those of the app alone',
    async (name) => {
      await request(sidecars.permissive.url, { headers: { Cookie: `a=1; ${name}=x` } });
      expect(sidecars.app.requests[0]?.headers['cookie']).toBe('a=1');
    },
  );
});
