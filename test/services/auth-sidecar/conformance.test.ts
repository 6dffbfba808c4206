import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { load } from 'js-yaml';
import Provider from 'oidc-provider';
import { loadConfig } from '../../../services/auth-sidecar/index.js';
import { authConfigsBodySchema } from '../../../kinds/auth/auth-configs.js';
import { cookie, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { browser, CookieJar, type RawAnswer, request } from './support/raw-client.js';
import { startRecordingApp } from './support/recording-app.js';

describe('against a certified OpenID provider', () => {
  // The provider warns on the console about its defaults, which are right for a test.
  beforeAll(() =>
    (['info', 'warn'] as const).forEach((each) =>
      vi.spyOn(console, each).mockImplementation(() => undefined),
    ),
  );
  afterAll(() => vi.restoreAllMocks());

  test('a person signs in, refreshes and signs out', async () => {
    const app = await startRecordingApp();
    const server = http.createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sidecar = await startUnderTest({ config: config(issuer), upstream: app.url });
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: 'the-app',
          client_secret: 'client-secret-of-the-app',
          token_endpoint_auth_method: 'client_secret_post',
          redirect_uris: [`${sidecar.url}/.auth/login/corp/callback`],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
      claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, name: `Name of ${id}`, email: `${id}@corp.example` }),
      }),
      pkce: { required: () => true },
      issueRefreshToken: () => Promise.resolve(true),
    });
    provider.on('server_error', (_context, error) => {
      throw error;
    });
    server.on('request', provider.callback());
    const jar = new CookieJar();
    const loginResponse = await request(sidecar.url, {
      path: '/.auth/login/corp?post_login_redirect_uri=%2Fdeep',
      headers: browser,
    });
    jar.take(loginResponse);
    const callback = await signInAtProvider(loginResponse.headers['location']?.[0] ?? '', sidecar);
    expect(callback.searchParams.get('iss')).toBe(issuer);
    const callbackAnswer = await request(sidecar.url, {
      path: callback.pathname + callback.search,
      headers: { ...browser, ...cookie(jar) },
    });
    jar.take(callbackAnswer);
    expect(callbackAnswer.headers['location']).toEqual(['/deep']);
    await request(sidecar.url, { path: '/deep', headers: { ...browser, ...cookie(jar) } });
    expect(app.requests[0]?.headers).toMatchObject({
      'x-svc-client-principal-name': 'Name of ada',
      'x-svc-client-principal-id': 'ada',
      'x-svc-client-principal-idp': 'corp',
    });
    expect(
      (await request(sidecar.url, { path: '/.auth/refresh', headers: cookie(jar) })).status,
    ).toBe(200);
    const signOut = await request(sidecar.url, {
      path: '/.auth/logout',
      headers: cookie(jar),
    });
    expect(signOut.headers['location']?.[0]).toMatch(/\/session\/end\?id_token_hint=eyJ/);
    expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(401);
    await sidecar.stop();
    await app.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
});

function config(issuer: string): unknown {
  return {
    login: { tokenStore: { enabled: true } },
    identityProviders: {
      customOpenIdConnectProviders: {
        corp: {
          login: { scopes: ['profile', 'email'] },
          registration: {
            clientId: 'the-app',
            clientCredential: { clientSecretSettingName: 'directory-secret' },
            openIdConnectConfiguration: {
              wellKnownOpenIdConfiguration: `${issuer}/.well-known/openid-configuration`,
            },
          },
        },
      },
    },
  };
}

/**
 * Goes through the provider's own sign-in and consent pages as ada.
 *
 * @returns the callback it sends the browser to
 */
async function signInAtProvider(location: string, sidecar: SidecarUnderTest): Promise<URL> {
  const jar = new CookieJar();
  let url = new URL(location);
  for (let step = 0; step < 12; step++) {
    if (url.origin === new URL(sidecar.url).origin) return url;
    const headers = { ...browser, ...cookie(jar) };
    let answer: RawAnswer = await request(url.origin, { path: url.pathname + url.search, headers });
    jar.take(answer);
    if (answer.status === 200) {
      const prompt = /name="prompt" value="(\w+)"/.exec(answer.body)?.[1] ?? '';
      const body = new URLSearchParams({ prompt, login: 'ada', password: 'any' }).toString();
      const action = new URL(/<form[^>]* action="([^"]+)"/.exec(answer.body)?.[1] ?? '', url);
      answer = await request(url.origin, {
        method: 'POST',
        path: action.pathname,
        headers: {
          ...headers,
          ...cookie(jar),
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body,
      });
      jar.take(answer);
    }
    url = new URL(answer.headers['location']?.[0] ?? '', url);
  }
  throw new Error('the provider never sent the browser back');
}

describe('the examples', () => {
  const secrets = {
    env: {
      'directory-client-secret': 'x',
      'auth-encryption-key': 'k'.repeat(64),
      'auth-signing-key': 's'.repeat(64),
    },
  };
  const root = resolve(__dirname, '../../..');

  test('hold configurations that the sidecar takes', () => {
    expect(
      loadConfig({ file: `${root}/examples/sidecar/auth.yaml`, dialect: 'neutral', secrets })
        .redirectToProvider,
    ).toBe('azureActiveDirectory');
    const [map] = readFileSync(`${root}/examples/sidecar/kubernetes.yaml`, 'utf8').split('---');
    const { data } = load(map ?? '') as { data: { 'auth.yaml': string } };
    expect(Object.keys(load(data['auth.yaml']) as object)).toContain('identityProviders');
  });
});

test('the strict schema is closed at every level', () => {
  const isClosed = (schema: Record<string, unknown>): boolean =>
    schema['type'] !== 'object' ||
    (schema['additionalProperties'] !== undefined &&
      schema['additionalProperties'] !== true &&
      Object.values((schema['properties'] ?? {}) as Record<string, Record<string, unknown>>).every(
        isClosed,
      ));
  expect(isClosed(authConfigsBodySchema as Record<string, unknown>)).toBe(true);
});
