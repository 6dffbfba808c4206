import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sidecarAuthSchema } from '../../../kinds/auth/auth-configs.js';
import { loadConfig } from '../../../services/auth-sidecar/index.js';
import type { SidecarSettings } from '../../../services/auth-sidecar/config/settings.js';
import { customProviderEffects, showOtherSpelling } from './properties/custom-providers.js';
import { SidecarFixture } from './properties/sidecar-fixture.js';
import { providerEffects } from './properties/providers.js';
import { settingEffects } from './properties/settings.js';
import { tokenStoreEffects } from './properties/token-store.js';

const fixture = new SidecarFixture();
const directory = mkdtempSync(join(tmpdir(), 'sidecar-properties-'));
beforeAll(() => fixture.start());
afterAll(async () => {
  await fixture.stop();
  rmSync(directory, { recursive: true, force: true });
});

const effects = [
  ...settingEffects,
  ...tokenStoreEffects,
  ...providerEffects,
  ...customProviderEffects,
];

/** Properties that change nothing, each with a value: the configuration says so when it is read. */
const propertiesWithoutEffect: Readonly<Record<string, unknown>> = {
  'platform.runtimeVersion': '~1',
  'platform.configFilePath': 'auth.json',
  'identityProviders.azureActiveDirectory.isAutoProvisioned': true,
  'identityProviders.azureStaticWebApps.registration.clientId': 'x',
  'login.tokenStore.fileSystem.directory': '/home',
};

const providerKeys = [
  'azureActiveDirectory',
  'legacyMicrosoftAccount',
  'google',
  'facebook',
  'gitHub',
  'twitter',
  'apple',
  'customOpenIdConnectProviders.{key}',
];

/** Properties whose effect is tested in another file. */
const testedInOtherFiles = [
  // access-decided-again.test.ts
  ...providerKeys.flatMap((key) =>
    ['trustsEmail', 'allowedGroups', 'requiredClaims.{key}'].map(
      (name) => `identityProviders.${key}.validation.${name}`,
    ),
  ),
  'httpSettings.removedRequestHeaders',
  'httpSettings.keptRequestHeaders',
  'httpSettings.forwardedGroups',
  'httpSettings.forwardedUser',
  'login.sessions.reevaluateAfter',
  // http2.test.ts
  'httpSettings.transport',
  // bearer-issuers.test.ts
  'login.bearer.issuers',
  // http-settings.test.ts
  'httpSettings.appTimeout',
  'httpSettings.clockTolerance',
  'httpSettings.maximumHeaderSize',
  'httpSettings.preflight.allowedPaths',
  'httpSettings.providerTimeout',
  // client-auth-method.test.ts
  'identityProviders.customOpenIdConnectProviders.{key}.registration.clientAuthMethod',
  // kept-sessions.test.ts
  'login.sessions.keptBy',
  // audit.test.ts
  'login.audit.file',
  'login.audit.stream',
  // requirements.test.ts
  'globalValidation.requirements',
  'identityProviders.facebook.graphApiVersion',
  'identityProviders.azureActiveDirectory.registration.clientSecretCertificateIssuer',
  'identityProviders.azureActiveDirectory.registration.clientSecretCertificateSubjectAlternativeName',
  'identityProviders.azureActiveDirectory.registration.clientSecretCertificateThumbprint',
  // Of a provider that is refused as a whole.
  'identityProviders.azureStaticWebApps.enabled',
];

describe('every property of the configuration', () => {
  test.each(effects)('%s has its effect', async (_, show) => show(fixture));

  test('identityProviders.facebook.graphApiVersion goes into the addresses of the social network', () => {
    const facebook = { graphApiVersion: 'v21.0', registration: { appId: 'x' } };
    expect(load({ identityProviders: { facebook } }).providers[0]).toMatchObject({
      authorizationEndpoint: 'https://www.facebook.com/v21.0/dialog/oauth',
      tokenEndpoint: 'https://graph.facebook.com/v21.0/oauth/access_token',
    });
  });

  test.each([
    ['facebook', 'debugToken', { appId: 'x' }],
    ['gitHub', 'checkToken', { clientId: 'x' }],
  ])('endpoints of %s without %s are warned of', (key, address, registration) => {
    const body = { identityProviders: { [key]: { registration } } };
    const expected = `the endpoints of ${key} have no ${address}: `;
    expect(load(body).warnings.join()).not.toContain(expected);
    const endpoints = { [key]: { user: 'https://user.example' } };
    expect(load(body, endpoints).warnings.join()).toContain(expected);
  });

  test('custom providers have a second spelling', () => showOtherSpelling(fixture));

  test.each(Object.entries(propertiesWithoutEffect))(
    '%s is reported to have no effect',
    (path, value) => {
      const body = path
        .split('.')
        .reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;
      const settings = load({
        globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
        ...addRegistration(body),
      });
      expect(settings.warnings).toEqual([expect.stringContaining('has no effect: ')]);
      expect(path.startsWith(settings.warnings[0]?.split(' ')[0] ?? 'nothing')).toBe(true);
    },
  );

  test('is in one of these lists', () => {
    const listedPaths = new Set([
      ...effects.map(([path]) => path),
      ...Object.keys(propertiesWithoutEffect),
      ...testedInOtherFiles,
    ]);
    const schemaPaths = leafPaths(sidecarAuthSchema).map((path) =>
      path.replace('.openIdConnectProviders.', '.customOpenIdConnectProviders.'),
    );
    expect(new Set(schemaPaths)).toEqual(listedPaths);
  });
});

function load(body: object, endpoints?: object): SidecarSettings {
  const file = join(directory, 'auth.json');
  writeFileSync(file, JSON.stringify(body));
  const endpointsFile = join(directory, 'endpoints.json');
  writeFileSync(endpointsFile, JSON.stringify(endpoints ?? {}));
  return loadConfig({ file, endpointsFile, dialect: 'neutral', secrets: { env: {} } });
}

/** Adds the registration that a directory provider in the body needs. */
function addRegistration(body: Record<string, unknown>): Record<string, unknown> {
  const providers = body['identityProviders'] as Record<string, object> | undefined;
  const directoryProvider = providers?.['azureActiveDirectory'];
  return directoryProvider === undefined
    ? body
    : {
        identityProviders: {
          azureActiveDirectory: {
            ...directoryProvider,
            registration: { clientId: 'x', openIdIssuer: 'https://a.example' },
          },
        },
      };
}

/** Paths of the values in a schema of objects. */
function leafPaths(schema: Readonly<Record<string, unknown>>, path = ''): string[] {
  const inner = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const properties = Object.entries(
    (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>,
  );
  const additionalProperties = schema['additionalProperties'];
  const namedPaths = properties.flatMap(([key, each]) => leafPaths(each, inner(key)));
  const additionalPaths =
    typeof additionalProperties === 'object' && additionalProperties !== null
      ? leafPaths(additionalProperties as Record<string, unknown>, inner('{key}'))
      : [];
  return schema['type'] === 'object' ? [...namedPaths, ...additionalPaths] : [path];
}
