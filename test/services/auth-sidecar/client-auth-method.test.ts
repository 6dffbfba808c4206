import { generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';

const idp = new TestIdentityProvider();
beforeAll(() => idp.start());
afterAll(() => idp.close());
beforeEach(() => {
  idp.secret = 'client-secret-of-the-app';
  idp.authMethods = undefined;
  idp.assertion = undefined;
});

const startSidecar = (clientAuthMethod: string | undefined, secret = idp.secret) =>
  startUnderTest({
    config: {
      identityProviders: {
        customOpenIdConnectProviders: {
          staff: {
            registration: {
              clientId: idp.clientId,
              clientCredential: { clientSecretSettingName: 'staff-secret' },
              openIdConnectConfiguration: { issuer: idp.url },
              ...(clientAuthMethod !== undefined && { clientAuthMethod }),
            },
          },
        },
      },
    },
    secrets: { 'staff-secret': secret },
  });
const signInWith = async (method: string | undefined, secret?: string) => {
  const sidecar = await startSidecar(method, secret);
  const { callbackAnswer } = await signIn(sidecar, idp, '/.auth/login/staff');
  await sidecar.stop();
  return callbackAnswer.status;
};

test.each([
  [undefined, ['client_secret_basic'], 302],
  ['client_secret_basic', ['client_secret_basic'], 302],
  ['client_secret_post', ['client_secret_basic'], 401],
  [undefined, ['client_secret_basic', 'client_secret_post'], 302],
  [undefined, undefined, 302],
  ['client_secret_basic', undefined, 401],
] as const)(
  'with the method %s, at a provider that lists %j, a sign-in ends with %d',
  async (method, listed, status) => {
    idp.authMethods = listed;
    idp.secret = 'a secret: with + and % and ü'; // encoded as in a form
    expect(await signInWith(method)).toBe(status);
  },
);

test('a provider that lists no method is tried with Basic first, then always with what worked', async () => {
  const sidecar = await startSidecar(undefined);
  const methodsTried = async () => {
    idp.tokenRequests.length = 0;
    expect((await signIn(sidecar, idp, '/.auth/login/staff')).callbackAnswer.status).toBe(302);
    return idp.tokenRequests.map((form) => (form.has('client_secret') ? 'post' : 'basic'));
  };
  expect(await methodsTried()).toEqual(['basic', 'post']);
  expect(await methodsTried()).toEqual(['post']);
  await sidecar.stop();
});

test('a wrong secret is sent once in each way', async () => {
  idp.tokenRequests.length = 0;
  expect(await signInWith(undefined, 'wrong')).toBe(401);
  expect(idp.tokenRequests).toHaveLength(2);
});

test.each(['rsa', 'ec', 'jwk'] as const)(
  'private_key_jwt signs with the key (%s)',
  async (kind) => {
    const { privateKey, publicKey } =
      kind === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const secret =
      kind === 'jwk'
        ? JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'k1' })
        : String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
    let assertion = '';
    idp.assertion = async (jwt) => {
      assertion = jwt;
      const { payload } = await jwtVerify(jwt, publicKey, {
        issuer: idp.clientId,
        subject: idp.clientId,
        audience: `${idp.url}/token`,
        requiredClaims: ['jti', 'exp'],
      });
      expect(Number(payload.exp)).toBeLessThan(Date.now() / 1000 + 301);
    };
    expect(await signInWith('private_key_jwt', secret)).toBe(302);
    expect(decodeProtectedHeader(assertion)).toEqual({
      alg: kind === 'rsa' ? 'RS256' : 'ES256',
      typ: 'JWT',
      ...(kind === 'jwk' && { kid: 'k1' }),
    });
  },
);

test.each([
  ['private_key_jwt', 'its secret must be a private key'],
  ['client_secret_jwt', 'registration.clientAuthMethod'],
])('%s is refused with a text as secret', async (method, message) => {
  await expect(startSidecar(method).then((sidecar) => sidecar.stop())).rejects.toThrow(message);
});
