import { browser } from '../support/raw-client.js';
import type { Effect, SidecarFixture } from './sidecar-fixture.js';

/** The status of the answer to a GET. */
export const status = async (fixture: SidecarFixture, path = '/', headers = {}): Promise<number> =>
  (await fixture.get(path, headers)).status;

/** Verifies a setting that names a key: a session is valid only under the key that made it. */
const verifiesSessionKey =
  (name: string): Effect[1] =>
  async (fixture) => {
    fixture.configureWithDirectory({ encryptionSettings: { [name]: 'key-a' } });
    const { cookies } = await fixture.signIn();
    expect(await status(fixture, '/', { Cookie: cookies })).toBe(200);
    fixture.configureWithDirectory({ encryptionSettings: { [name]: 'key-b' } });
    expect(await status(fixture, '/', { Cookie: cookies })).toBe(401);
    fixture.configureWithDirectory({ encryptionSettings: { [name]: 'key-a' } });
    expect(await status(fixture, '/', { Cookie: cookies })).toBe(200);
  };

/** What each setting does, except those of providers and of the token store. */
export const settingEffects: readonly Effect[] = [
  [
    'encryptionSettings.containerAppAuthEncryptionSecretName',
    verifiesSessionKey('containerAppAuthEncryptionSecretName'),
  ],
  [
    'encryptionSettings.containerAppAuthSigningSecretName',
    verifiesSessionKey('containerAppAuthSigningSecretName'),
  ],
  [
    'globalValidation.excludedPaths',
    async (fixture) => {
      fixture.configureWithDirectory({
        globalValidation: { excludedPaths: ['/open', 'assets/*'] },
      });
      expect(
        await Promise.all(
          ['/open', '/open/x', '/assets/a.js', '/openly', '/'].map((path) => status(fixture, path)),
        ),
      ).toEqual([200, 200, 200, 401, 401]);
    },
  ],
  [
    'globalValidation.allowedEmailDomains',
    async (fixture) => {
      fixture.configureWithDirectory({
        globalValidation: { allowedEmailDomains: ['contoso.example'] },
      });
      fixture.idp.claims = { email: 'ada@contoso.example' };
      expect((await fixture.signIn()).callbackAnswer.status).toBe(302);
      fixture.idp.claims = { email: 'ada@fabrikam.example' };
      expect((await fixture.signIn()).callbackAnswer.status).toBe(403);
      fixture.idp.claims = {};
    },
  ],
  [
    'globalValidation.redirectToProvider',
    async (fixture) => {
      const identityProviders = {
        gitHub: { registration: { clientId: 'a' } },
        google: { registration: { clientId: 'b' } },
      };
      for (const [configuredName, pathName] of [
        ['gitHub', 'codehost'],
        ['google', 'search'],
        ['search', 'search'],
      ]) {
        fixture.configure({
          globalValidation: { redirectToProvider: configuredName },
          identityProviders,
        });
        expect((await fixture.get('/x', browser)).headers['location']).toEqual([
          `/.auth/login/${pathName}?post_login_redirect_uri=%2Fx`,
        ]);
      }
    },
  ],
  [
    'globalValidation.unauthenticatedClientAction',
    async (fixture) => {
      for (const [unauthenticatedClientAction, expected] of [
        ['RedirectToLoginPage', 302],
        ['AllowAnonymous', 200],
        ['Return401', 401],
        ['Return403', 403],
      ] as const) {
        fixture.configureWithDirectory({ globalValidation: { unauthenticatedClientAction } });
        expect([unauthenticatedClientAction, await status(fixture, '/', browser)]).toEqual([
          unauthenticatedClientAction,
          expected,
        ]);
      }
    },
  ],
  [
    'globalValidation.requireAuthentication',
    async (fixture) => {
      fixture.configureWithDirectory({ globalValidation: { requireAuthentication: false } });
      expect(await status(fixture)).toBe(200);
    },
  ],
  [
    'httpSettings.forwardProxy.convention',
    async (fixture) => {
      const headers = { Host: 'inner', 'X-Forwarded-Host': 'app.example' };
      fixture.configureWithDirectory({ httpSettings: { forwardProxy: { convention: 'NoProxy' } } });
      expect(await status(fixture, '/', headers)).toBe(421);
      fixture.configureWithDirectory({
        httpSettings: { forwardProxy: { convention: 'Standard' } },
      });
      expect(await status(fixture, '/', headers)).toBe(401);
    },
  ],
  [
    'httpSettings.forwardProxy.customHostHeaderName',
    async (fixture) => {
      const forwardProxy = { convention: 'Custom', customHostHeaderName: 'X-Outer-Host' };
      fixture.configureWithDirectory({ httpSettings: { forwardProxy } });
      expect(await status(fixture, '/', { Host: 'inner', 'X-Outer-Host': 'app.example' })).toBe(
        401,
      );
      expect(await status(fixture, '/', { Host: 'inner', 'X-Forwarded-Host': 'app.example' })).toBe(
        421,
      );
    },
  ],
  [
    'httpSettings.forwardProxy.customProtoHeaderName',
    async (fixture) => {
      fixture.configureWithDirectory({
        httpSettings: {
          forwardProxy: { convention: 'Custom', customProtoHeaderName: 'X-Outer-Proto' },
        },
      });
      expect(await status(fixture, '/', { 'X-Outer-Proto': 'http' })).toBe(307);
      expect(await status(fixture, '/', { 'X-Outer-Proto': 'https' })).toBe(401);
    },
  ],
  [
    'httpSettings.requireHttps',
    async (fixture) => {
      const forwardProxy = { convention: 'Standard' };
      for (const [requireHttps, expected] of [
        [true, 307],
        [undefined, 307],
        [false, 401],
      ] as const) {
        fixture.configureWithDirectory({
          httpSettings: { forwardProxy, ...(requireHttps !== undefined && { requireHttps }) },
        });
        expect(await status(fixture, '/', { 'X-Forwarded-Proto': 'http' })).toBe(expected);
      }
    },
  ],
  [
    'httpSettings.routes.apiPrefix',
    async (fixture) => {
      fixture.configureWithDirectory({
        httpSettings: { routes: { apiPrefix: '/signing' } },
        globalValidation: { excludedPaths: ['/.auth'] },
      });
      expect(await status(fixture, '/signing/login')).toBe(200);
      fixture.app.clear();
      expect(await status(fixture, '/.auth/login')).toBe(200);
      expect(fixture.app.requests).toHaveLength(1);
    },
  ],
  [
    'login.allowedExternalRedirectUrls',
    async (fixture) => {
      const path =
        '/.auth/login/directory?post_login_redirect_uri=https%3A%2F%2Ffriend.example%2Fwelcome%3Fa%3D1';
      fixture.configureWithDirectory({});
      expect(await status(fixture, path)).toBe(400);
      fixture.configureWithDirectory({
        login: { allowedExternalRedirectUrls: ['https://friend.example/welcome'] },
      });
      expect(await status(fixture, path)).toBe(302);
    },
  ],
  [
    'login.cookieExpiration.convention',
    async (fixture) => {
      fixture.configureWithDirectory({ login: { cookieExpiration: { convention: 'FixedTime' } } });
      expect(await fixture.cookieSeconds()).toBe(8 * 3600);
      for (const convention of ['IdentityProviderDerived', 'IdentityDerived']) {
        fixture.configureWithDirectory({ login: { cookieExpiration: { convention } } });
        expect(Math.abs((await fixture.cookieSeconds()) - 3600)).toBeLessThan(60);
      }
    },
  ],
  [
    'login.cookieExpiration.timeToExpiration',
    async (fixture) => {
      fixture.configureWithDirectory({
        login: { cookieExpiration: { timeToExpiration: '1.00:10:00' } },
      });
      expect(await fixture.cookieSeconds()).toBe(24 * 3600 + 600);
    },
  ],
  [
    'login.nonce.nonceExpirationInterval',
    async (fixture) => {
      fixture.configureWithDirectory({ login: { nonce: { nonceExpirationInterval: '00:00:01' } } });
      const loginResponse = await fixture.get('/.auth/login/directory', browser);
      await new Promise((done) => setTimeout(done, 2100));
      const callback = new URL(
        fixture.idp.authorize(new URL(loginResponse.headers['location']?.[0] ?? '')),
      );
      const lateAnswer = await fixture.get(callback.pathname + callback.search, {
        ...browser,
        Cookie: (loginResponse.headers['set-cookie']?.[0] ?? '').split(';')[0],
      });
      expect(lateAnswer.headers['location']).toEqual([
        '/.auth/login/directory?post_login_redirect_uri=%2F',
      ]);
    },
  ],
  [
    'login.nonce.validateNonce',
    async (fixture) => {
      fixture.configureWithDirectory({});
      expect((await fixture.location()).searchParams.has('nonce')).toBe(true);
      fixture.configureWithDirectory({ login: { nonce: { validateNonce: false } } });
      expect((await fixture.location()).searchParams.has('nonce')).toBe(false);
      expect((await fixture.signIn()).callbackAnswer.status).toBe(302);
    },
  ],
  [
    'login.preserveUrlFragmentsForLogins',
    async (fixture) => {
      fixture.configureWithDirectory({
        globalValidation: { unauthenticatedClientAction: 'RedirectToLoginPage' },
        login: { preserveUrlFragmentsForLogins: true },
      });
      const answer = await fixture.get('/', browser);
      expect([answer.status, answer.body.includes('location.hash')]).toEqual([401, true]);
    },
  ],
  [
    'login.routes.logoutEndpoint',
    async (fixture) => {
      fixture.configureWithDirectory({ login: { routes: { logoutEndpoint: '/leave' } } });
      const { cookies } = await fixture.signIn();
      expect(await status(fixture, '/leave', { Cookie: cookies })).toBe(302);
      expect(await status(fixture, '/', { Cookie: cookies })).toBe(401);
    },
  ],
  [
    'platform.enabled',
    async (fixture) => {
      fixture.configureWithDirectory({ platform: { enabled: false } });
      expect([await status(fixture), await status(fixture, '/.auth/login')]).toEqual([200, 404]);
    },
  ],
];
