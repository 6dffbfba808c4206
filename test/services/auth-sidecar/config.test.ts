import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, problemsOf, locateProblems } from '../../../services/auth-sidecar/index.js';
import type { SidecarSettings } from '../../../services/auth-sidecar/config/settings.js';
import { timeSpanToSeconds } from '../../../kinds/auth/time-span.js';

const directory = mkdtempSync(join(tmpdir(), 'sidecar-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

function load(text: string, name = 'auth.json', env: Record<string, string> = {}): SidecarSettings {
  const file = join(directory, name);
  writeFileSync(file, text);
  return loadConfig({ file, dialect: 'neutral', secrets: { env, directory } });
}

function problems(body: unknown, env: Record<string, string> = {}): Record<string, string> {
  try {
    load(JSON.stringify(body), 'auth.json', env);
    return {};
  } catch (error) {
    return Object.fromEntries(
      problemsOf(error).map(({ property, message }) => [property, message]),
    );
  }
}

/** The message of a refused configuration. */
async function refusalMessage(...args: Parameters<typeof load>): Promise<string> {
  try {
    load(...args);
  } catch (error) {
    return ((await locateProblems(error)) as Error).message;
  }
  return '';
}

const gitHub = { registration: { clientId: 'x' } };

describe('the endpoints file', () => {
  const endpointsProblems = (endpointsFile: string) => {
    writeFileSync(join(directory, 'auth.json'), '{}');
    try {
      loadConfig({
        file: join(directory, 'auth.json'),
        endpointsFile,
        dialect: 'neutral',
        secrets: { env: {} },
      });
    } catch (error) {
      return problemsOf(error);
    }
    return [];
  };

  test('that can not be read or parsed is named with the reason', () => {
    const missing = join(directory, 'no-endpoints.json');
    expect(endpointsProblems(missing)).toEqual([
      { property: missing, message: "can't be read: ENOENT" },
    ]);
    const broken = join(directory, 'broken-endpoints.json');
    writeFileSync(broken, '{"google": [}');
    expect(endpointsProblems(broken)).toMatchObject([
      { property: broken, message: expect.stringContaining("can't be parsed: ") as string },
    ]);
  });

  test.each(['constructor', '__proto__', 'toString'])('may have an unknown provider %s', (name) => {
    const file = join(directory, 'odd-endpoints.json');
    writeFileSync(file, `{"${name}": {"issuer": "https://idp.example"}}`);
    expect(endpointsProblems(file)).toEqual([]);
  });
});

describe('the configuration', () => {
  test('has the documented defaults', () => {
    expect(load('{}')).toMatchObject({
      enabled: true,
      unauthenticated: 'redirect',
      apiPrefix: '/.auth',
      session: { providerDerived: false, lifetimeSeconds: 28_800 },
      nonce: { validate: true, lifetimeSeconds: 300 },
      preserveFragments: false,
      tokens: { enabled: false, graceSeconds: 72 * 3600 },
      forwarding: { convention: 'NoProxy' },
      omitsChallenge: false,
      excludedPaths: [],
    });
  });

  test.each([
    ['the properties', JSON.stringify({ identityProviders: { gitHub } }), 'a.json'],
    [
      'the whole resource',
      JSON.stringify({
        id: '/x',
        name: 'current',
        type: 'Microsoft.App/containerApps/authConfigs',
        systemData: {},
        properties: { identityProviders: { gitHub } },
      }),
      'a.json',
    ],
    [
      'nulls for removed settings',
      JSON.stringify({
        properties: {
          login: null,
          identityProviders: { gitHub, google: null },
          httpSettings: { routes: null },
        },
      }),
      'a.json',
    ],
    ['YAML', 'identityProviders:\n  gitHub:\n    registration: { clientId: x }\n', 'a.yaml'],
    [
      'what only the sister product has',
      JSON.stringify({
        platform: { enabled: true, configFilePath: 'x' },
        login: {
          tokenStore: { fileSystem: { directory: 'x' } },
          cookieExpiration: { convention: 'IdentityDerived' },
        },
        identityProviders: { gitHub, openIdConnectProviders: {} },
      }),
      'a.json',
    ],
  ])('is read from %s', (_, text, name) => {
    expect(load(text, name).providers.map(({ key }) => key)).toEqual(['gitHub']);
  });

  test.each<[string, unknown, string, RegExp]>([
    [
      'a misspelt key',
      { globalValidaton: {} },
      'globalValidaton',
      /did you mean "globalValidation"/,
    ],
    [
      'a misspelt key further in',
      { identityProviders: { github: gitHub } },
      'identityProviders.github',
      /did you mean "gitHub"/,
    ],
    [
      'a misspelt key of a custom provider',
      { identityProviders: { customOpenIdConnectProviders: { a: { registation: {} } } } },
      'identityProviders.customOpenIdConnectProviders.a.registation',
      /registration/,
    ],
    [
      'a misspelt action',
      { globalValidation: { unauthenticatedClientAction: 'Return404' } },
      'globalValidation.unauthenticatedClientAction',
      /Return401/,
    ],
    [
      'a text for a flag',
      { httpSettings: { requireHttps: 'yes' } },
      'httpSettings.requireHttps',
      /boolean/,
    ],
    [
      'an unknown provider to redirect to',
      { globalValidation: { redirectToProvider: 'gitHup' }, identityProviders: { gitHub } },
      'globalValidation.redirectToProvider',
      /did you mean "gitHub"/,
    ],
    [
      'a provider to redirect to that is off',
      {
        globalValidation: { redirectToProvider: 'gitHub' },
        identityProviders: { gitHub: { ...gitHub, enabled: false } },
      },
      'globalValidation.redirectToProvider',
      /not an enabled provider/,
    ],
    [
      'a missing client id',
      { identityProviders: { gitHub: {} } },
      'identityProviders.gitHub.registration.clientId',
      /required/,
    ],
    [
      'a missing app id',
      { identityProviders: { facebook: { registration: {} } } },
      'identityProviders.facebook.registration.appId',
      /required/,
    ],
    [
      'a missing consumer secret',
      { identityProviders: { twitter: { registration: { consumerKey: 'x' } } } },
      'identityProviders.twitter.registration.consumerSecretSettingName',
      /required/,
    ],
    [
      'a bad time',
      { login: { cookieExpiration: { timeToExpiration: '8h' } } },
      'login.cookieExpiration.timeToExpiration',
      /not a time/,
    ],
    [
      'a bad nonce time',
      { login: { nonce: { nonceExpirationInterval: '25:00:00' } } },
      'login.nonce.nonceExpirationInterval',
      /not a time/,
    ],
    [
      'a missing secret',
      {
        identityProviders: {
          gitHub: { registration: { clientId: 'x', clientSecretSettingName: 'no-such-secret' } },
        },
      },
      'identityProviders.gitHub.registration.clientSecretSettingName',
      /"no-such-secret"/,
    ],
    [
      'a missing key',
      { encryptionSettings: { containerAppAuthEncryptionSecretName: 'no-key' } },
      'encryptionSettings.containerAppAuthEncryptionSecretName',
      /"no-key"/,
    ],
    [
      'an issuer over http',
      {
        identityProviders: {
          azureActiveDirectory: {
            registration: { clientId: 'x', openIdIssuer: 'http://idp.example' },
          },
        },
      },
      'identityProviders.azureActiveDirectory.registration.openIdIssuer',
      /https/,
    ],
    [
      'a custom provider without addresses',
      {
        identityProviders: {
          customOpenIdConnectProviders: { a: { registration: { clientId: 'x' } } },
        },
      },
      'identityProviders.customOpenIdConnectProviders.a.registration.openIdConnectConfiguration',
      /wellKnownOpenIdConfiguration/,
    ],
    [
      'a login parameter without value',
      {
        identityProviders: {
          azureActiveDirectory: {
            registration: { clientId: 'x' },
            login: { loginParameters: ['prompt'] },
          },
        },
      },
      'identityProviders.azureActiveDirectory.login.loginParameters.0',
      /key=value/,
    ],
    [
      'a prefix that is no path',
      { httpSettings: { routes: { apiPrefix: 'auth' } } },
      'httpSettings.routes.apiPrefix',
      /path/,
    ],
    [
      'an excluded path with a query',
      { globalValidation: { excludedPaths: ['/a?b'] } },
      'globalValidation.excludedPaths.0',
      /has a query or fragment; paths only/,
    ],
    [
      'a list of who is let in without a text',
      { globalValidation: { allowedEmailDomains: [''] } },
      'globalValidation.allowedEmailDomains',
      /must list at least one/,
    ],
    [
      'an empty list of groups',
      { identityProviders: { gitHub: { ...gitHub, validation: { allowedGroups: [] } } } },
      'identityProviders.gitHub.validation.allowedGroups',
      /must list at least one/,
    ],
    [
      'the beginning of a header name',
      { httpSettings: { removedRequestHeaders: ['X-Tenant', 'X-Mine-*'] } },
      'httpSettings.removedRequestHeaders.1',
      /"X-Mine-\*" is not the name of a header/,
    ],
    [
      'an allowed URL that is none',
      { login: { allowedExternalRedirectUrls: ['javascript:alert(1)'] } },
      'login.allowedExternalRedirectUrls.0',
      /absolute URL/,
    ],
    [
      'two providers of one name',
      {
        identityProviders: {
          gitHub,
          customOpenIdConnectProviders: {
            codehost: {
              registration: {
                clientId: 'x',
                openIdConnectConfiguration: { issuer: 'https://a.example' },
              },
            },
          },
        },
      },
      'identityProviders.codehost',
      /taken/,
    ],
    [
      'a provider with the key of another one',
      {
        identityProviders: {
          gitHub,
          customOpenIdConnectProviders: {
            gitHub: {
              registration: {
                clientId: 'x',
                openIdConnectConfiguration: { issuer: 'https://a.example' },
              },
            },
          },
        },
      },
      'identityProviders.gitHub',
      /taken/,
    ],
    [
      'an entry without a value in a list of who is let in',
      {
        identityProviders: {
          azureActiveDirectory: {
            registration: { clientId: 'x', openIdIssuer: 'https://idp.example' },
            validation: { defaultAuthorizationPolicy: { allowedPrincipals: { groups: [null] } } },
          },
        },
      },
      'identityProviders.azureActiveDirectory.validation.defaultAuthorizationPolicy.allowedPrincipals.groups.0',
      /must be of type string/,
    ],
    [
      'a container over http, to which a managed identity would be sent',
      {
        login: {
          tokenStore: {
            enabled: true,
            azureBlobStorage: { blobContainerUri: 'http://a.example/b' },
          },
        },
      },
      'login.tokenStore.azureBlobStorage.blobContainerUri',
      /https/,
    ],
  ])('reports %s', (_, body, property, message) => {
    expect(problems(body)[property]).toMatch(message);
  });

  test.each([
    [
      'keys',
      { encryptionSettings: { containerAppAuthSigningSecretName: 'odd' } },
      ' \n\n',
      /no key/,
    ],
    [
      'a container',
      { login: { tokenStore: { enabled: true, azureBlobStorage: { sasUrlSettingName: 'odd' } } } },
      'blobs?sig=abc',
      /URL of a container/,
    ],
  ])('refuses a secret that holds no %s', (_, body, secret, message) => {
    writeFileSync(join(directory, 'odd'), secret);
    const [problem] = Object.values(problems(body));
    expect(problem).toMatch(message);
    expect(problem).not.toContain('abc');
  });

  test('may have a custom provider with the name of an object property', () => {
    const registration = {
      clientId: 'x',
      openIdConnectConfiguration: { issuer: 'https://a.example' },
    };
    const providers = { customOpenIdConnectProviders: { constructor: { registration } } };
    expect(load(JSON.stringify({ identityProviders: providers })).providers).toMatchObject([
      { key: 'constructor', issuer: 'https://a.example' },
    ]);
  });

  test.each<[string, string, string]>([
    [
      'auth.yaml',
      'login:\n  sessions:\n    keptBy: redis\n',
      ':3:13 login.sessions.keptBy: must be',
    ],
    ['auth.yaml', 'login:\n  audit: {}\n', ':2:10 login.audit: needs file or stream'],
    [
      'auth.yaml',
      'globalValidation:\n  requirements:\n    - acrValues: [mfa]\n',
      ':3:7 globalValidation.requirements.0.path: is required',
    ],
    ['auth.yaml', 'login: [\n', `:2:1 can't be parsed`],
    ['auth.json', '{"properties":{"login":{"nope":1}}}', ':1:32 login.nope: is not a known'],
    [
      'auth.json',
      '{"properties": {\n  "platform": {"enabled": true, "a\\"{": ["b", {"c": 1}], "enabled": false}}}',
      ":2:58 can't be parsed: duplicated mapping key",
    ],
    [
      'auth.json',
      '{"a": [{"b": 1}, {"b": 1, "c": {}, "\\u0062": 2}]}',
      ":1:36 can't be parsed: duplicated mapping key",
    ],
    ['auth.yaml', 'login: {}\nlogin: {}\n', `:2:1 can't be parsed: duplicated mapping key`],
    ['auth.json', '{"login": 1', `:1:12 can't be parsed`],
    ['auth.json', '{"login": {}}}', `:1:14 can't be parsed`],
    ['auth.json', '{"login": {', `:1:12 can't be parsed`],
    ['auth.json', '', `:1:1 can't be parsed`],
    ['auth.json', '{\n  "login": {\n    "tokenStore": nul\n  }\n}\n', `:3:22 can't be parsed`],
    ['auth.json', `{\n  "login": {},\n  "httpSettings": 'none'\n}\n`, `:3:19 can't be parsed`],
    ['auth.json', '{\n  "login": "\\u00e9",\n  "httpSettings": \n}\n', `:4:1 can't be parsed`],
    ['auth.json', '{\n  // none\n  "login": {}\n}\n', `:2:3 can't be parsed`],
  ])('says where a mistake is: %s %j', async (name, text, expected) => {
    await expect(refusalMessage(text, name)).resolves.toContain(
      `  ${join(directory, name)}${expected}`,
    );
  });

  test('names the variable of a mistake instead of a place', async () => {
    const env = { CASTELLAN_AUTH__login__sessions__keptBy: 'redis' };
    const text = 'login: { sessions: { keptBy: store } }';
    await expect(refusalMessage(text, 'auth.yaml', env)).resolves.toContain(
      '  login.sessions.keptBy (CASTELLAN_AUTH__login__sessions__keptBy): must be',
    );
  });

  test('reports all problems at once', () => {
    expect(
      Object.keys(
        problems({
          globalValidaton: {},
          identityProviders: { gitHub: {} },
          login: { nonce: { nonceExpirationInterval: 'x' } },
        }),
      ),
    ).toHaveLength(3);
  });

  test.each(['{', '[]', '"x"', 'null', ''])('refuses %j', (text) => {
    expect(() => load(text)).toThrow(/can't be parsed|is not an object/);
  });

  test('refuses a secret that is too large, not a file, or unreadable', () => {
    const at = 'identityProviders.gitHub.registration.clientSecretSettingName';
    const problemOf = (name: string): string | undefined =>
      problems({
        identityProviders: {
          gitHub: { registration: { clientId: 'x', clientSecretSettingName: name } },
        },
      })[at];
    writeFileSync(join(directory, 'dump'), '');
    truncateSync(join(directory, 'dump'), 1024 * 1024 + 1);
    mkdirSync(join(directory, 'folder'));
    expect(problemOf('dump')).toBe('the secret "dump" is larger than 1 MiB (1048577 bytes)');
    expect(problemOf('folder')).toBe('the secret "folder" is not a file');
    symlinkSync('circle', join(directory, 'circle'));
    expect(problemOf('circle')).toBe(
      'the secret "circle" cannot be read (ELOOP): check the permissions of the user that the sidecar runs as',
    );
    truncateSync(join(directory, 'dump'), 1024 * 1024);
    expect(problemOf('dump')).toBeUndefined();
  });

  test('takes secrets from the environment by name, in upper case, then from files', () => {
    const body = JSON.stringify({
      identityProviders: {
        gitHub: { registration: { clientId: 'x', clientSecretSettingName: 'my-secret' } },
      },
    });
    const secret = (env: Record<string, string>): unknown =>
      load(body, 'auth.json', env).providers[0]?.clientSecret;
    writeFileSync(join(directory, 'my-secret'), 'from a file\n');
    expect(secret({})).toBe('from a file');
    expect(secret({ MY_SECRET: 'upper' })).toBe('upper');
    expect(secret({ MY_SECRET: 'upper', 'my-secret': 'exact' })).toBe('exact');
    const odd = { registration: { clientId: 'x', clientSecretSettingName: 'constructor' } };
    expect(
      problems({ identityProviders: { gitHub: odd } })[
        'identityProviders.gitHub.registration.clientSecretSettingName'
      ],
    ).toMatch(/neither/);
  });

  test('chooses the provider by key, by word and by custom name', () => {
    const custom = {
      customOpenIdConnectProviders: {
        corp: {
          registration: {
            clientId: 'x',
            openIdConnectConfiguration: { issuer: 'https://a.example' },
          },
        },
      },
    };
    for (const [name, key] of [
      ['gitHub', 'gitHub'],
      ['codehost', 'gitHub'],
      ['corp', 'corp'],
    ] as const)
      expect(
        load(
          JSON.stringify({
            globalValidation: { redirectToProvider: name },
            identityProviders: { gitHub, ...custom },
          }),
        ).redirectToProvider,
      ).toBe(key);
  });

  test.each([
    ['08:00:00', 28_800],
    ['00:05:00', 300],
    ['1.02:03:04', 93_784],
    ['24:00:00', undefined],
    ['00:00:00', 0],
    ['5', undefined],
    ['-01:00:00', undefined],
  ])('the time %s is %s seconds', (text, seconds) => {
    expect(timeSpanToSeconds(text)).toBe(seconds);
  });
});
