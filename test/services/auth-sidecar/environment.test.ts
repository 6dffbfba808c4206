import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sidecarAuthSchema } from '../../../kinds/auth/auth-configs.js';
import { withEnvironment } from '../../../services/auth-sidecar/config/environment.js';
import { loadConfig, problemsOf } from '../../../services/auth-sidecar/index.js';
import type { SidecarSettings } from '../../../services/auth-sidecar/config/settings.js';

const directory = mkdtempSync(join(tmpdir(), 'sidecar-environment-'));
const file = join(directory, 'auth.json');
afterAll(() => rmSync(directory, { recursive: true }));

function load(env: Record<string, string>, body?: unknown): SidecarSettings {
  if (body !== undefined) writeFileSync(file, JSON.stringify(body));
  return loadConfig({
    ...(body !== undefined && { file }),
    dialect: 'neutral',
    secrets: { env },
  });
}

function problems(env: Record<string, string>, body?: unknown): Record<string, string> {
  try {
    load(env, body);
    return {};
  } catch (error) {
    return Object.fromEntries(
      problemsOf(error).map(({ property, message }) => [property, message]),
    );
  }
}

const codeHost = { CASTELLAN_AUTH__identityProviders__gitHub__registration__clientId: 'Iv1.x' };

describe('configuration by the environment', () => {
  test('needs no file', () => {
    const settings = load({
      ...codeHost,
      CASTELLAN_AUTH__GLOBALVALIDATION__UNAUTHENTICATEDCLIENTACTION: 'Return401',
      CASTELLAN_AUTH__globalValidation__excludedPaths: '/health, /public',
      CASTELLAN_AUTH__login__tokenStore__enabled: 'TRUE',
      CASTELLAN_AUTH__login__tokenStore__tokenRefreshExtensionHours: '1.5',
      CASTELLAN_AUTH__identityProviders__azureActiveDirectory:
        '{"registration": {"clientId": "a"}}',
      CASTELLAN_AUTH__identityProviders__azureActiveDirectory__login__loginParameters:
        '["scope=openid a,b", "x=y"]',
      CASTELLAN_AUTH__identityProviders__customOpenIdConnectProviders__corp__registration__clientId:
        'c',
      CASTELLAN_AUTH__identityProviders__customOpenIdConnectProviders__corp__registration__openIdConnectConfiguration__issuer:
        'https://corp.example',
      CASTELLAN_AUTH__login__cookieExpiration__timeToExpiration: '',
      CASTELLAN_SIDECAR_SERVICE_HOST: '10.0.0.1',
    });
    expect(settings).toMatchObject({
      unauthenticated: 'return401',
      excludedPaths: ['/health', '/public'],
      tokens: { enabled: true, graceSeconds: 5400 },
      session: { lifetimeSeconds: 28_800 },
    });
    expect(settings.providers.map(({ key }) => key).sort()).toEqual([
      'azureActiveDirectory',
      'corp',
      'gitHub',
    ]);
    expect(settings.providers[0]).toMatchObject({ clientId: 'a', loginParameters: [['x', 'y']] });
  });

  test('overrides the file, property by property', () => {
    const body = {
      globalValidation: { unauthenticatedClientAction: 'Return403', excludedPaths: ['/a'] },
      identityProviders: {},
    };
    const settings = load({ CASTELLAN_AUTH__globalValidation__excludedPaths: '/b' }, body);
    expect(settings).toMatchObject({ unauthenticated: 'return403', excludedPaths: ['/b'] });
  });

  test('names the variable of a mistake', () => {
    expect(
      problems({
        ...codeHost,
        CASTELLAN_AUTH__globalValidaton__excludedPaths: '/x',
        CASTELLAN_AUTH__GLOBALVALIDATION__excludedPaths: '/a/../b',
        CASTELLAN_AUTH__login__nonce__nonceExpirationInterval: 'soon',
        CASTELLAN_AUTH__identityProviders__gitHub__registration__clientSecretSettingName:
          'not-there',
      }),
    ).toEqual({
      CASTELLAN_AUTH__globalValidaton__excludedPaths:
        'names no property: "globalValidaton" is not known, did you mean "globalValidation"?',
      'globalValidation.excludedPaths.0 (CASTELLAN_AUTH__GLOBALVALIDATION__excludedPaths)':
        expect.any(String) as string,
      'login.nonce.nonceExpirationInterval (CASTELLAN_AUTH__login__nonce__nonceExpirationInterval)':
        expect.stringContaining('soon') as string,
      'identityProviders.gitHub.registration.clientSecretSettingName (CASTELLAN_AUTH__identityProviders__gitHub__registration__clientSecretSettingName)':
        expect.stringContaining('not-there') as string,
    });
    expect(problems({ ...codeHost, CASTELLAN_AUTH__login__tokenStore__enabled: 'yes' })).toEqual({
      'login.tokenStore.enabled (CASTELLAN_AUTH__login__tokenStore__enabled)':
        'must be of type boolean',
    });
    expect(problems({ CASTELLAN_AUTH__identityProviders: '{x' })).toEqual({
      CASTELLAN_AUTH__identityProviders: 'is not JSON',
    });
  });

  test.each([',', ' , ', ' '])(
    'refuses %j as a list, which may be one of unset variables',
    (value) => {
      const variable = 'CASTELLAN_AUTH__globalValidation__excludedPaths';
      expect(problems({ ...codeHost, [variable]: value })).toEqual({
        [variable]: 'lists nothing; an empty list is []',
      });
      expect(load({ ...codeHost, [variable]: '[]' }).excludedPaths).toEqual([]);
    },
  );

  test('names the variable of the property itself, beside one of an object around it', () => {
    const variable = 'CASTELLAN_AUTH__login__nonce__nonceExpirationInterval';
    const env = { ...codeHost, CASTELLAN_AUTH__login: '{"tokenStore":{}}', [variable]: 'soon' };
    expect(Object.keys(problems(env))).toEqual([
      `login.nonce.nonceExpirationInterval (${variable})`,
    ]);
  });

  test.each(['evil\r\nSet-Cookie: a=b', 'a\u0000b', 'a\u007f'])(
    'a value with a control character (%j) is refused',
    (value) => {
      expect(
        problems({ CASTELLAN_AUTH__identityProviders__gitHub__registration__clientId: value }),
      ).toEqual({
        CASTELLAN_AUTH__identityProviders__gitHub__registration__clientId:
          'holds a control character or a line end',
      });
    },
  );

  test.each([
    '__proto__',
    'constructor',
    'CASTELLAN_AUTH__identityProviders____proto____registration__clientId',
  ])('the name %s changes no object but the configuration', (name) => {
    const variable = name.startsWith('CASTELLAN') ? name : `CASTELLAN_AUTH__${name}__polluted`;
    expect(problems({ [variable]: 'x' })[variable]).toContain('names no property');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('takes any printable text as the value of a text property', () => {
    const line = fc.stringMatching(/^[ -~\u00e4\u4e2d]{1,40}$/);
    fc.assert(
      fc.property(line, (text) => {
        const env = { CASTELLAN_AUTH__identityProviders__gitHub__registration__clientId: text };
        const { body, problems: textProblems } = withEnvironment({}, env, sidecarAuthSchema);
        expect(textProblems).toEqual([]);
        expect(body).toEqual({
          identityProviders: { gitHub: { registration: { clientId: text } } },
        });
      }),
    );
  });
});
