import { browser } from '../support/raw-client.js';
import type { Effect, Ground } from './ground.js';

/** The addresses of the local provider, one by one. */
const addresses = ({ url }: { readonly url: string }): Record<string, string> => ({
  issuer: url,
  authorizationEndpoint: `${url}/authorize`,
  tokenEndpoint: `${url}/token`,
  certificationUri: `${url}/keys`,
});

function use(
  ground: Ground,
  more: Record<string, unknown> = {},
  registered: Record<string, unknown> = {},
  openIdConnectConfiguration: Record<string, string> = addresses(ground.idp),
  group = 'customOpenIdConnectProviders',
): void {
  const registration = {
    clientId: 'client-1',
    clientCredential: { clientSecretSettingName: 'directory-secret' },
    openIdConnectConfiguration,
  };
  ground.use({
    globalValidation: { unauthenticatedClientAction: 'Return401' },
    identityProviders: {
      [group]: { corp: { ...more, registration: { ...registration, ...registered } } },
    },
  });
}

/** One address leads to the other provider, the rest stay: what then goes there. */
const leads =
  (name: string, path: string): Effect[1] =>
  async (ground) => {
    use(ground, {}, {}, { ...addresses(ground.idp), [name]: `${ground.other.url}${path}` });
    ground.other.calls.length = 0;
    await ground.signIn('corp');
    expect(ground.other.calls.some((call) => call.endsWith(` ${path}`))).toBe(true);
  };

const at = 'identityProviders.customOpenIdConnectProviders.{key}';
const config = `${at}.registration.openIdConnectConfiguration`;

/** What each property of a custom provider does. */
export const customProviderEffects: readonly Effect[] = [
  [
    `${at}.enabled`,
    async (ground) => {
      use(ground, { enabled: false });
      expect((await ground.get('/.auth/login/corp', browser)).status).toBe(404);
    },
  ],
  [
    `${at}.login.nameClaimType`,
    async (ground) => {
      use(ground, { login: { nameClaimType: 'nick' } });
      ground.idp.claims = { nick: 'the countess' };
      const { cookies } = await ground.signIn('corp');
      ground.app.clear();
      await ground.get('/', { Cookie: cookies });
      ground.idp.claims = {};
      expect(ground.app.requests[0]?.headers['x-svc-client-principal-name']).toBe('the countess');
    },
  ],
  [
    `${at}.login.scopes`,
    async (ground) => {
      use(ground, { login: { scopes: ['profile', 'orders'] } });
      expect((await ground.location('corp')).searchParams.get('scope')).toBe(
        'openid profile orders',
      );
    },
  ],
  [
    `${at}.login.loginParameterNames`,
    async (ground) => {
      use(ground, { login: { loginParameterNames: ['ui_locales'] } });
      const { searchParams } = await ground.location('corp', '?ui_locales=de&other=x');
      expect([searchParams.get('ui_locales'), searchParams.get('other')]).toEqual(['de', null]);
    },
  ],
  [
    `${at}.registration.clientCredential.clientSecretSettingName`,
    async (ground) => {
      use(ground);
      expect((await ground.signIn('corp')).landed.status).toBe(302);
      use(ground, {}, { clientCredential: { clientSecretSettingName: 'wrong-secret' } });
      expect((await ground.signIn('corp')).landed.status).toBe(401);
    },
  ],
  [
    `${at}.registration.clientCredential.method`,
    async (ground) => {
      use(
        ground,
        {},
        {
          clientCredential: {
            method: 'ClientSecretPost',
            clientSecretSettingName: 'directory-secret',
          },
        },
      );
      await ground.signIn('corp');
      expect(ground.idp.tokenRequests.at(-1)?.get('client_secret')).toBe(ground.idp.secret);
    },
  ],
  [
    `${at}.registration.clientId`,
    async (ground) => {
      use(ground, {}, { clientId: 'another-client' });
      expect((await ground.location('corp')).searchParams.get('client_id')).toBe('another-client');
    },
  ],
  [
    `${config}.authorizationEndpoint`,
    async (ground) => {
      use(
        ground,
        {},
        {},
        { ...addresses(ground.idp), authorizationEndpoint: `${ground.other.url}/authorize` },
      );
      expect((await ground.location('corp')).origin).toBe(ground.other.url);
    },
  ],
  [`${config}.tokenEndpoint`, leads('tokenEndpoint', '/token')],
  [`${config}.certificationUri`, leads('certificationUri', '/keys')],
  [
    `${config}.issuer`,
    async (ground) => {
      const { idp, other } = ground;
      use(ground, {}, {}, { ...addresses(idp), issuer: other.url });
      expect((await ground.post('corp', { id_token: await idp.sign({}) })).status).toBe(401);
      expect(
        (await ground.post('corp', { id_token: await idp.sign({ iss: other.url }) })).status,
      ).toBe(200);
    },
  ],
  [
    `${config}.wellKnownOpenIdConfiguration`,
    async (ground) => {
      const wellKnownOpenIdConfiguration = `${ground.other.url}/.well-known/openid-configuration`;
      // Discovery is above the explicit addresses, as in the cloud.
      use(
        ground,
        {},
        {},
        { authorizationEndpoint: `${ground.idp.url}/authorize`, wellKnownOpenIdConfiguration },
      );
      expect((await ground.location('corp')).origin).toBe(ground.other.url);
    },
  ],
];

/** The sister product's file spells the group of custom providers differently. */
export async function showOtherSpelling(ground: Ground): Promise<void> {
  use(ground, {}, {}, addresses(ground.idp), 'openIdConnectProviders');
  expect((await ground.signIn('corp')).landed.status).toBe(302);
}
