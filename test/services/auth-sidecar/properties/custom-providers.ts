import { browser } from '../support/raw-client.js';
import type { Effect, SidecarFixture } from './sidecar-fixture.js';

/** The addresses of the local provider, one by one. */
const addresses = ({ url }: { readonly url: string }): Record<string, string> => ({
  issuer: url,
  authorizationEndpoint: `${url}/authorize`,
  tokenEndpoint: `${url}/token`,
  certificationUri: `${url}/keys`,
});

function use(
  fixture: SidecarFixture,
  more: Record<string, unknown> = {},
  registered: Record<string, unknown> = {},
  openIdConnectConfiguration: Record<string, string> = addresses(fixture.idp),
  group = 'customOpenIdConnectProviders',
): void {
  const registration = {
    clientId: 'client-1',
    clientCredential: { clientSecretSettingName: 'directory-secret' },
    openIdConnectConfiguration,
  };
  fixture.configure({
    globalValidation: { unauthenticatedClientAction: 'Return401' },
    identityProviders: {
      [group]: { corp: { ...more, registration: { ...registration, ...registered } } },
    },
  });
}

/** One address leads to the other provider, the rest stay: what then goes there. */
const leads =
  (name: string, path: string): Effect[1] =>
  async (fixture) => {
    use(fixture, {}, {}, { ...addresses(fixture.idp), [name]: `${fixture.otherIdp.url}${path}` });
    fixture.otherIdp.calls.length = 0;
    await fixture.signIn('corp');
    expect(fixture.otherIdp.calls.some((call) => call.endsWith(` ${path}`))).toBe(true);
  };

const at = 'identityProviders.customOpenIdConnectProviders.{key}';
const config = `${at}.registration.openIdConnectConfiguration`;

/** What each property of a custom provider does. */
export const customProviderEffects: readonly Effect[] = [
  [
    `${at}.enabled`,
    async (fixture) => {
      use(fixture, { enabled: false });
      expect((await fixture.get('/.auth/login/corp', browser)).status).toBe(404);
    },
  ],
  [
    `${at}.login.nameClaimType`,
    async (fixture) => {
      use(fixture, { login: { nameClaimType: 'nick' } });
      fixture.idp.claims = { nick: 'the countess' };
      const { cookies } = await fixture.signIn('corp');
      fixture.app.clear();
      await fixture.get('/', { Cookie: cookies });
      fixture.idp.claims = {};
      expect(fixture.app.requests[0]?.headers['x-svc-client-principal-name']).toBe('the countess');
    },
  ],
  [
    `${at}.login.scopes`,
    async (fixture) => {
      use(fixture, { login: { scopes: ['profile', 'orders'] } });
      expect((await fixture.location('corp')).searchParams.get('scope')).toBe(
        'openid profile orders',
      );
    },
  ],
  [
    `${at}.login.loginParameterNames`,
    async (fixture) => {
      use(fixture, { login: { loginParameterNames: ['ui_locales'] } });
      const { searchParams } = await fixture.location('corp', '?ui_locales=de&other=x');
      expect([searchParams.get('ui_locales'), searchParams.get('other')]).toEqual(['de', null]);
    },
  ],
  [
    `${at}.registration.clientCredential.clientSecretSettingName`,
    async (fixture) => {
      use(fixture);
      expect((await fixture.signIn('corp')).landed.status).toBe(302);
      use(fixture, {}, { clientCredential: { clientSecretSettingName: 'wrong-secret' } });
      expect((await fixture.signIn('corp')).landed.status).toBe(401);
    },
  ],
  [
    `${at}.registration.clientCredential.method`,
    async (fixture) => {
      use(
        fixture,
        {},
        {
          clientCredential: {
            method: 'ClientSecretPost',
            clientSecretSettingName: 'directory-secret',
          },
        },
      );
      await fixture.signIn('corp');
      expect(fixture.idp.tokenRequests.at(-1)?.get('client_secret')).toBe(fixture.idp.secret);
    },
  ],
  [
    `${at}.registration.clientId`,
    async (fixture) => {
      use(fixture, {}, { clientId: 'another-client' });
      expect((await fixture.location('corp')).searchParams.get('client_id')).toBe('another-client');
    },
  ],
  [
    `${config}.authorizationEndpoint`,
    async (fixture) => {
      use(
        fixture,
        {},
        {},
        { ...addresses(fixture.idp), authorizationEndpoint: `${fixture.otherIdp.url}/authorize` },
      );
      expect((await fixture.location('corp')).origin).toBe(fixture.otherIdp.url);
    },
  ],
  [`${config}.tokenEndpoint`, leads('tokenEndpoint', '/token')],
  [`${config}.certificationUri`, leads('certificationUri', '/keys')],
  [
    `${config}.issuer`,
    async (fixture) => {
      const { idp, otherIdp: other } = fixture;
      use(fixture, {}, {}, { ...addresses(idp), issuer: other.url });
      expect((await fixture.post('corp', { id_token: await idp.sign({}) })).status).toBe(401);
      expect(
        (await fixture.post('corp', { id_token: await idp.sign({ iss: other.url }) })).status,
      ).toBe(200);
    },
  ],
  [
    `${config}.wellKnownOpenIdConfiguration`,
    async (fixture) => {
      const wellKnownOpenIdConfiguration = `${fixture.otherIdp.url}/.well-known/openid-configuration`;
      // Discovery is above the explicit addresses, as in the cloud.
      use(
        fixture,
        {},
        {},
        { authorizationEndpoint: `${fixture.idp.url}/authorize`, wellKnownOpenIdConfiguration },
      );
      expect((await fixture.location('corp')).origin).toBe(fixture.otherIdp.url);
    },
  ],
];

/** The sister product's file spells the group of custom providers differently. */
export async function showOtherSpelling(fixture: SidecarFixture): Promise<void> {
  use(fixture, {}, {}, addresses(fixture.idp), 'openIdConnectProviders');
  expect((await fixture.signIn('corp')).landed.status).toBe(302);
}
