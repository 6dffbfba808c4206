import { browser } from '../support/raw-client.js';
import type { Effect, Ground } from './ground.js';

/** The status of an answer. */
export const status = async (ground: Ground, path = '/', headers = {}): Promise<number> =>
  (await ground.get(path, headers)).status;

/** A session is good under one key and nothing under another. */
const sealsWith =
  (name: string): Effect[1] =>
  async (ground) => {
    ground.useBeside({ encryptionSettings: { [name]: 'key-a' } });
    const { cookies } = await ground.signIn();
    expect(await status(ground, '/', { Cookie: cookies })).toBe(200);
    ground.useBeside({ encryptionSettings: { [name]: 'key-b' } });
    expect(await status(ground, '/', { Cookie: cookies })).toBe(401);
    ground.useBeside({ encryptionSettings: { [name]: 'key-a' } });
    expect(await status(ground, '/', { Cookie: cookies })).toBe(200);
  };

/** What each setting beside the providers does. */
export const settingEffects: readonly Effect[] = [
  [
    'encryptionSettings.containerAppAuthEncryptionSecretName',
    sealsWith('containerAppAuthEncryptionSecretName'),
  ],
  [
    'encryptionSettings.containerAppAuthSigningSecretName',
    sealsWith('containerAppAuthSigningSecretName'),
  ],
  [
    'globalValidation.excludedPaths',
    async (ground) => {
      ground.useBeside({ globalValidation: { excludedPaths: ['/open', 'assets/*'] } });
      expect(
        await Promise.all(
          ['/open', '/open/x', '/assets/a.js', '/openly', '/'].map((path) => status(ground, path)),
        ),
      ).toEqual([200, 200, 200, 401, 401]);
    },
  ],
  [
    'globalValidation.allowedEmailDomains',
    async (ground) => {
      ground.useBeside({ globalValidation: { allowedEmailDomains: ['contoso.example'] } });
      ground.idp.claims = { email: 'ada@contoso.example' };
      expect((await ground.signIn()).landed.status).toBe(302);
      ground.idp.claims = { email: 'ada@fabrikam.example' };
      expect((await ground.signIn()).landed.status).toBe(403);
      ground.idp.claims = {};
    },
  ],
  [
    'globalValidation.redirectToProvider',
    async (ground) => {
      const identityProviders = {
        gitHub: { registration: { clientId: 'a' } },
        google: { registration: { clientId: 'b' } },
      };
      for (const [given, word] of [
        ['gitHub', 'codehost'],
        ['google', 'search'],
        ['search', 'search'],
      ]) {
        ground.use({ globalValidation: { redirectToProvider: given }, identityProviders });
        expect((await ground.get('/x', browser)).headers['location']).toEqual([
          `/.auth/login/${word}?post_login_redirect_uri=%2Fx`,
        ]);
      }
    },
  ],
  [
    'globalValidation.unauthenticatedClientAction',
    async (ground) => {
      for (const [unauthenticatedClientAction, expected] of [
        ['RedirectToLoginPage', 302],
        ['AllowAnonymous', 200],
        ['Return401', 401],
        ['Return403', 403],
      ] as const) {
        ground.useBeside({ globalValidation: { unauthenticatedClientAction } });
        expect([unauthenticatedClientAction, await status(ground, '/', browser)]).toEqual([
          unauthenticatedClientAction,
          expected,
        ]);
      }
    },
  ],
  [
    'globalValidation.requireAuthentication',
    async (ground) => {
      ground.useBeside({ globalValidation: { requireAuthentication: false } });
      expect(await status(ground)).toBe(200);
    },
  ],
  [
    'httpSettings.forwardProxy.convention',
    async (ground) => {
      const headers = { Host: 'inner', 'X-Forwarded-Host': 'app.example' };
      ground.useBeside({ httpSettings: { forwardProxy: { convention: 'NoProxy' } } });
      expect(await status(ground, '/', headers)).toBe(421);
      ground.useBeside({ httpSettings: { forwardProxy: { convention: 'Standard' } } });
      expect(await status(ground, '/', headers)).toBe(401);
    },
  ],
  [
    'httpSettings.forwardProxy.customHostHeaderName',
    async (ground) => {
      const forwardProxy = { convention: 'Custom', customHostHeaderName: 'X-Outer-Host' };
      ground.useBeside({ httpSettings: { forwardProxy } });
      expect(await status(ground, '/', { Host: 'inner', 'X-Outer-Host': 'app.example' })).toBe(401);
      expect(await status(ground, '/', { Host: 'inner', 'X-Forwarded-Host': 'app.example' })).toBe(
        421,
      );
    },
  ],
  [
    'httpSettings.forwardProxy.customProtoHeaderName',
    async (ground) => {
      ground.useBeside({
        httpSettings: {
          forwardProxy: { convention: 'Custom', customProtoHeaderName: 'X-Outer-Proto' },
        },
      });
      expect(await status(ground, '/', { 'X-Outer-Proto': 'http' })).toBe(307);
      expect(await status(ground, '/', { 'X-Outer-Proto': 'https' })).toBe(401);
    },
  ],
  [
    'httpSettings.requireHttps',
    async (ground) => {
      const forwardProxy = { convention: 'Standard' };
      for (const [requireHttps, expected] of [
        [true, 307],
        [undefined, 307],
        [false, 401],
      ] as const) {
        ground.useBeside({
          httpSettings: { forwardProxy, ...(requireHttps !== undefined && { requireHttps }) },
        });
        expect(await status(ground, '/', { 'X-Forwarded-Proto': 'http' })).toBe(expected);
      }
    },
  ],
  [
    'httpSettings.routes.apiPrefix',
    async (ground) => {
      ground.useBeside({
        httpSettings: { routes: { apiPrefix: '/signing' } },
        globalValidation: { excludedPaths: ['/.auth'] },
      });
      expect(await status(ground, '/signing/login')).toBe(200);
      ground.app.clear();
      expect(await status(ground, '/.auth/login')).toBe(200);
      expect(ground.app.requests).toHaveLength(1);
    },
  ],
  [
    'login.allowedExternalRedirectUrls',
    async (ground) => {
      const path =
        '/.auth/login/directory?post_login_redirect_uri=https%3A%2F%2Ffriend.example%2Fwelcome%3Fa%3D1';
      ground.useBeside({});
      expect(await status(ground, path)).toBe(400);
      ground.useBeside({
        login: { allowedExternalRedirectUrls: ['https://friend.example/welcome'] },
      });
      expect(await status(ground, path)).toBe(302);
    },
  ],
  [
    'login.cookieExpiration.convention',
    async (ground) => {
      ground.useBeside({ login: { cookieExpiration: { convention: 'FixedTime' } } });
      expect(await ground.cookieSeconds()).toBe(8 * 3600);
      for (const convention of ['IdentityProviderDerived', 'IdentityDerived']) {
        ground.useBeside({ login: { cookieExpiration: { convention } } });
        expect(Math.abs((await ground.cookieSeconds()) - 3600)).toBeLessThan(60);
      }
    },
  ],
  [
    'login.cookieExpiration.timeToExpiration',
    async (ground) => {
      ground.useBeside({ login: { cookieExpiration: { timeToExpiration: '1.00:10:00' } } });
      expect(await ground.cookieSeconds()).toBe(24 * 3600 + 600);
    },
  ],
  [
    'login.nonce.nonceExpirationInterval',
    async (ground) => {
      ground.useBeside({ login: { nonce: { nonceExpirationInterval: '00:00:01' } } });
      const loginResponse = await ground.get('/.auth/login/directory', browser);
      await new Promise((done) => setTimeout(done, 2100));
      const callback = new URL(
        ground.idp.authorize(new URL(loginResponse.headers['location']?.[0] ?? '')),
      );
      const late = await ground.get(callback.pathname + callback.search, {
        ...browser,
        Cookie: (loginResponse.headers['set-cookie']?.[0] ?? '').split(';')[0],
      });
      expect(late.headers['location']).toEqual([
        '/.auth/login/directory?post_login_redirect_uri=%2F',
      ]);
    },
  ],
  [
    'login.nonce.validateNonce',
    async (ground) => {
      ground.useBeside({});
      expect((await ground.location()).searchParams.has('nonce')).toBe(true);
      ground.useBeside({ login: { nonce: { validateNonce: false } } });
      expect((await ground.location()).searchParams.has('nonce')).toBe(false);
      expect((await ground.signIn()).landed.status).toBe(302);
    },
  ],
  [
    'login.preserveUrlFragmentsForLogins',
    async (ground) => {
      ground.useBeside({
        globalValidation: { unauthenticatedClientAction: 'RedirectToLoginPage' },
        login: { preserveUrlFragmentsForLogins: true },
      });
      const answer = await ground.get('/', browser);
      expect([answer.status, answer.body.includes('location.hash')]).toEqual([401, true]);
    },
  ],
  [
    'login.routes.logoutEndpoint',
    async (ground) => {
      ground.useBeside({ login: { routes: { logoutEndpoint: '/leave' } } });
      const { cookies } = await ground.signIn();
      expect(await status(ground, '/leave', { Cookie: cookies })).toBe(302);
      expect(await status(ground, '/', { Cookie: cookies })).toBe(401);
    },
  ],
  [
    'platform.enabled',
    async (ground) => {
      ground.useBeside({ platform: { enabled: false } });
      expect([await status(ground), await status(ground, '/.auth/login')]).toEqual([200, 404]);
    },
  ],
];
