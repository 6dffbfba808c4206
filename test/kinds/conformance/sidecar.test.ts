import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDeclaration } from '../../../policies/check/check-declaration.js';
import { loadConfig } from '../../../services/auth-sidecar/config/load-config.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-conformance-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const provider = { registration: { clientId: 'a', clientSecretSettingName: 'S' } };

/** What the sidecar says against its configuration. */
function sidecarSays(properties: object): string {
  const file = join(folder, 'auth.json');
  writeFileSync(file, JSON.stringify({ identityProviders: { gitHub: provider }, ...properties }));
  try {
    loadConfig({ file, dialect: 'neutral', secrets: { env: { S: 'secret' } } });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The errors of `check` at one setting of a sign-in layer. */
function checkSays(auth: object, property: string): readonly string[] {
  const providers = { codehost: { clientId: 'a', clientSecret: '${env:S}' } };
  const app = {
    image: 'shop:1',
    targetPort: 80,
    ingress: { external: true },
    auth: { providers, ...auth },
  };
  return checkDeclaration('containerApps', 'shop', app, { env: { S: 'secret' } })
    .filter(
      ({ severity, verdict, path }) =>
        severity === 'error' && verdict === 'fail' && path?.includes(property),
    )
    .map(({ message }) => message);
}

describe('one verdict of check and of the sidecar', () => {
  it.each([
    '/a',
    '/a/',
    '/a/*',
    '/',
    '/a b',
    '/a%2fb',
    '/a%2e%2e',
    '/a/../b',
    '//',
    '/a//',
    '/a?b',
    '/a#b',
    '/a/*/b',
    '/**',
    '/a\\b',
    '/A-_.~b',
  ])('on the excluded path %s, in the same words', (path) => {
    const [message] = checkSays({ excludedPaths: [path] }, 'excludedPaths');
    const sidecarMessage = sidecarSays({ globalValidation: { excludedPaths: [path] } });
    if (message === undefined) expect(sidecarMessage).toBe('');
    else expect(sidecarMessage).toContain(message);
  });

  it.each([
    '08:00:00',
    '8:00:00',
    '1.00:00:00',
    '99999.00:00:00',
    '100000.00:00:00',
    '24:00:00',
    '00:00:00',
    '5',
    '00:60:00',
  ])('on the time %s', (time) => {
    const isRefused =
      checkSays({ cookieExpiration: { timeToExpiration: time } }, 'timeToExpiration').length > 0;
    expect(sidecarSays({ login: { cookieExpiration: { timeToExpiration: time } } }) !== '').toBe(
      isRefused,
    );
  });

  it.each(['partner', '9partner', 'a-b_c', '-partner', 'a.b', 'a'.repeat(64), 'a'.repeat(65)])(
    'on the provider name %.20s',
    (name) => {
      const openIdConnect = {
        [name]: {
          clientId: 'a',
          wellKnownConfiguration: 'https://id.example/.well-known/openid-configuration',
        },
      };
      const isRefused = checkSays({ providers: { openIdConnect } }, 'openIdConnect').length > 0;
      const registration = {
        clientId: 'a',
        openIdConnectConfiguration: {
          wellKnownOpenIdConfiguration: 'https://id.example/.well-known/openid-configuration',
        },
      };
      const identityProviders = { customOpenIdConnectProviders: { [name]: { registration } } };
      expect(sidecarSays({ identityProviders }) !== '').toBe(isRefused);
    },
  );

  it.each(['/.auth', '/sign-in/x', '/a b', '/ä', '/..', '/a/./b', '/a?b', 'a'])(
    'on the path %s of the layer itself',
    (path) => {
      const isRefused = checkSays({ routes: { apiPrefix: path } }, 'apiPrefix').length > 0;
      expect(sidecarSays({ httpSettings: { routes: { apiPrefix: path } } }) !== '').toBe(isRefused);
    },
  );

  it.each(['X-Host', 'x_host', 'x.host', 'x host', 'x:host', 'ä'])(
    'on the header %s',
    (customHostHeaderName) => {
      const isRefused =
        checkSays(
          { forwardProxy: { convention: 'custom', customHostHeaderName } },
          'customHostHeaderName',
        ).length > 0;
      expect(
        sidecarSays({
          httpSettings: { forwardProxy: { convention: 'Custom', customHostHeaderName } },
        }) !== '',
      ).toBe(isRefused);
    },
  );

  it('on audiences of Apple, which the cloud has no place for', () => {
    const apple = { clientId: 'a', clientSecret: '${env:S}', allowedAudiences: ['b'] };
    expect(checkSays({ providers: { apple } }, 'apple')).not.toEqual([]);
    const properties = { apple: { ...provider, validation: { allowedAudiences: ['b'] } } };
    expect(sidecarSays({ identityProviders: properties })).toContain('is not a known property');
  });
});
