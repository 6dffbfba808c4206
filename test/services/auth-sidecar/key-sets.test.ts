import type { OpenIdSettings } from '../../../services/auth-sidecar/config/settings.js';
import { OpenIdTokens } from '../../../services/auth-sidecar/providers/openid-tokens.js';

const issuer = 'https://idp.example';
const settings = {
  clientId: 'client-1',
  issuer,
  explicitEndpoints: {
    authorizationEndpoint: `${issuer}/authorize`,
    tokenEndpoint: `${issuer}/token`,
    jwksUri: `${issuer}/keys`,
  },
} as unknown as OpenIdSettings;
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const token = `${encoded({ alg: 'RS256', kid: 'a' })}.${encoded({ iss: issuer })}.AAAA`;

test.each([
  ['no list', {}],
  ['a list of no objects', { keys: [null] }],
])('a provider whose keys are %s is out of order, and the token is not blamed', async (_, body) => {
  const http = () => Promise.resolve({ status: 200, text: '', body });
  const tokens = new OpenIdTokens(settings, http, () => 1, 10);
  await expect(tokens.verifyIdToken(token)).rejects.toMatchObject({
    status: 502,
    options: { code: 'provider_unreachable' },
  });
});
