import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';
import type { LiveAppsReader } from '../../../../policies/model/live-apps-reader.js';
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

const driftMessages = async (
  apps: FakeApps | LiveAppsReader,
  yaml = stackYaml(),
  state?: string,
) => {
  writeFileSync(join(folder, 'castellan.yaml'), yaml);
  const reader = { ...fakeDirectory([]), apps: 'auth' in apps ? apps : fakeApps(apps) };
  const { findings } = await runCheck({
    paths: ['castellan.yaml'],
    live: reader,
    state,
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

  it.each([
    ['an excluded path', '/docs', '"${env:UNSET}"'],
    ['an allowed group', '11111111-2222-4333-8444-555555555555', '"${env:UNSET}"'],
  ])('is as declared as far as %s is known', async (_what, value, variable) => {
    const apps = { web: settings };
    expect(
      await driftMessages(
        { apps, registrations: [liveRegistration] },
        stackYaml().replace(value, variable),
      ),
    ).toEqual([]);
  });

  it('is not compared where a name is not known yet', async () => {
    const yaml = stackYaml('\n    name: "${env:UNSET}"').replace(
      'displayName: Shop',
      'displayName: "${env:UNSET}"',
    );
    expect(await driftMessages({ apps: { web: settings } }, yaml)).toEqual([
      "unknown: the sign-in of shop can't be compared: its name is not known yet",
      "unknown: the sign-in of web can't be compared: its name is not known yet",
    ]);
  });

  it('is not compared for a registration without a name', async () => {
    const yaml = stackYaml().replace('displayName: Shop', 'displayName: 5');
    expect(await driftMessages({ apps: { web: settings } }, yaml)).toEqual([]);
  });

  it.each([
    ['\nazure: { resourceGroup: RG-live }', []],
    ['\nazure: { resourceGroup: { existing: rg-live } }', []],
    [
      '\nazure: { resourceGroup: rg-test }',
      ['auth.unauthenticatedAction is allowAnonymous in the service, declared is redirectToLogin'],
    ],
    [
      '',
      [
        "unknown: the sign-in of web can't be compared: the subscription has several apps of this name: name the group of yours as azure.resourceGroup, or give the state with --state",
      ],
    ],
  ])('is that of the app in the resource group of the stack: %j', async (azure, expected) => {
    const open = {
      ...settings,
      globalValidation: {
        ...settings.globalValidation,
        unauthenticatedClientAction: 'AllowAnonymous',
      },
    };
    const idIn = (group: string) => `/subscriptions/s/resourceGroups/${group}/providers/x/web`;
    const reader: LiveAppsReader = {
      ...fakeApps({ registrations: [liveRegistration] }),
      apps: () =>
        Promise.resolve(['rg-test', 'rg-live'].map((each) => ({ id: idIn(each), name: 'web' }))),
      auth: (id) => Promise.resolve(id === idIn('rg-live') ? settings : open),
    };
    expect(await driftMessages(reader, `${stackYaml()}${azure}`)).toEqual(expected);
  });

  it('is that of the app and of the registration whose ids the state has', async () => {
    const idOf = (group: string) =>
      `/subscriptions/s/resourceGroups/${group}/providers/Microsoft.App/containerApps/web`;
    const reader: LiveAppsReader = {
      apps: () =>
        Promise.resolve(['rg-test', 'rg-live'].map((each) => ({ id: idOf(each), name: 'web' }))),
      auth: (id) => Promise.resolve(id === idOf('rg-live') ? settings : {}),
      registrations: () =>
        Promise.resolve([
          { id: 'other', ...liveRegistration, signInAudience: 'AzureADMultipleOrgs' },
          { id: 'own', ...liveRegistration },
        ]),
    };
    const resource = (type: string, name: string, values: object) => ({
      address: `${type}.${name}`,
      mode: 'managed',
      type,
      name,
      values,
    });
    const resources = [
      resource('azurerm_container_app', 'web', { id: idOf('rg-live'), name: 'web' }),
      resource('azuread_application', 'shop', { id: '/applications/own', display_name: 'Shop' }),
    ];
    writeFileSync(
      join(folder, 'state.json'),
      JSON.stringify({ format_version: '1.0', values: { root_module: { resources } } }),
    );
    expect(await driftMessages(reader, stackYaml(), 'state.json')).toEqual([]);
  });

  it('is not compared for an app that was never applied', async () => {
    expect(await driftMessages({})).toEqual([]);
  });
});
