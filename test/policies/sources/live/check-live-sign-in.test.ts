import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';
import { type FakeApps, fakeApps } from '../../../support/fake-apps.js';
import { fakeDirectory } from '../../../support/fake-directory.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-live-sign-in-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stackYaml = (more = '') => `version: 1
stack: shop
registrations:
  shop: { displayName: Shop, redirectUris: [https://shop.example/back] }
containerApps:
  web:
    image: example.com/web:1
    targetPort: 80
    ingress: { external: true }
    auth:
      excludedPaths: [/docs, /healthz]
      providers: { directory: { registration: shop, allowedGroups: [11111111-2222-4333-8444-555555555555] } }${more}
`;
const registration = {
  clientId: 'a',
  clientSecretSettingName: 'x',
  openIdIssuer: 'https://issuer.example',
};
const allowGroups = (...groups: string[]) => ({
  validation: {
    allowedAudiences: ['api://a'],
    defaultAuthorizationPolicy: { allowedPrincipals: { groups } },
  },
});
const directory = { enabled: true, registration, ...allowGroups('some id') };
const settings = {
  platform: { enabled: true },
  globalValidation: {
    unauthenticatedClientAction: 'RedirectToLoginPage',
    redirectToProvider: 'azureactivedirectory',
    excludedPaths: ['/healthz', '/docs'],
  },
  httpSettings: { requireHttps: true },
  login: { tokenStore: { enabled: false } },
  identityProviders: { azureActiveDirectory: directory },
};
const liveRegistration = {
  displayName: 'Shop',
  signInAudience: 'AzureADMyOrg',
  web: {
    redirectUris: ['https://shop.example/back', 'https://web.example/.auth/login/aad/callback'],
    implicitGrantSettings: { enableIdTokenIssuance: true, enableAccessTokenIssuance: false },
  },
};

const driftMessages = async (apps: FakeApps, yaml = stackYaml()) => {
  writeFileSync(join(folder, 'castellan.yaml'), yaml);
  const reader = { ...fakeDirectory([]), apps: fakeApps(apps) };
  const { findings } = await runCheck({
    paths: ['castellan.yaml'],
    live: reader,
    cwd: folder,
    env: {},
  });
  return findings
    .filter(({ ruleId }) => ruleId === 'live-sign-in-drift')
    .map(({ verdict, message }) => (verdict === 'fail' ? message : `${verdict}: ${message}`));
};

describe('the sign-in of live apps', () => {
  it('is as declared, whatever an apply derives', async () => {
    expect(
      await driftMessages({ apps: { web: settings }, registrations: [liveRegistration] }),
    ).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'lets everyone in',
      {
        globalValidation: {
          ...settings.globalValidation,
          unauthenticatedClientAction: 'AllowAnonymous',
        },
      },
      'auth.unauthenticatedAction is allowAnonymous in the service, declared is redirectToLogin',
    ],
    [
      'is switched off',
      { platform: { enabled: false } },
      'auth.enabled is false in the service, declared is true',
    ],
    [
      'excludes another path',
      {
        globalValidation: {
          ...settings.globalValidation,
          excludedPaths: ['/healthz', '/docs', '/admin'],
        },
      },
      'auth.excludedPaths is /admin, /docs, /healthz in the service, declared is /docs, /healthz',
    ],
    [
      'takes plain HTTP',
      { httpSettings: { requireHttps: false } },
      'auth.requireHttps is false in the service, declared is true',
    ],
    [
      'has another provider',
      { identityProviders: { azureActiveDirectory: directory, gitHub: { registration } } },
      'auth.providers.codehost is present in the service, declared is absent',
    ],
    [
      'lets all groups in',
      { identityProviders: { azureActiveDirectory: { enabled: true, registration } } },
      'auth.providers.directory.allowedGroups is 0 entries in the service, declared is 1 entry',
    ],
  ])('that %s by hand is reported', async (_name, change, message) => {
    const apps = { web: { ...settings, ...change } };
    expect(await driftMessages({ apps, registrations: [liveRegistration] })).toEqual([message]);
  });

  it('is gone', async () => {
    expect(await driftMessages({ apps: { web: {} }, registrations: [liveRegistration] })).toEqual([
      'the app has no sign-in settings in the service: everyone gets in',
    ]);
  });

  it('has a registration that was changed by hand', async () => {
    const web = {
      ...liveRegistration.web,
      redirectUris: [...liveRegistration.web.redirectUris, 'https://evil.example/x'],
    };
    expect(
      await driftMessages({
        apps: { web: settings },
        registrations: [
          { ...liveRegistration, signInAudience: 'AzureADMultipleOrgs', web } as never,
        ],
      }),
    ).toEqual([
      'signInAudience is AzureADMultipleOrgs in the service, declared is AzureADMyOrg',
      'the registration sends people to https://evil.example/x, which is not declared',
    ]);
  });

  it('is unknown where the caller may not read it', async () => {
    expect(await driftMessages({ apps: 'hidden', registrations: 'hidden' })).toEqual([
      "unknown: the sign-in of shop can't be compared: the caller may not read registrations",
      "unknown: the sign-in of web can't be compared: the caller may not read the apps of the subscription",
    ]);
  });

  it('is not compared for an app that was never applied', async () => {
    expect(await driftMessages({})).toEqual([]);
  });
});
