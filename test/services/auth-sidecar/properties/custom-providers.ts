import { browser } from '../support/raw-client.js';
import type { Effect, SidecarFixture } from './sidecar-fixture.js';

/** The addresses of the local provider, one by one. */
const addresses = ({ url }: { readonly url: string }): Record<string, string> => ({
  issuer: url,
  authorizationEndpoint: `${url}/authorize`,
  tokenEndpoint: `${url}/token`,
  certificationUri: `${url}/keys`,
});

function configureProvider(
  fixture: SidecarFixture,
  providerSettings: Record<string, unknown> = {},
  registrationSettings: Record<string, unknown> = {},
  openIdConnectConfiguration: Record<string, string> = addresses(fixture.idp),
  groupName = 'customOpenIdConnectProviders',
): void {
  const registration = {
    clientId: 'client-1',
    clientCredential: { clientSecretSettingName: 'directory-secret' },
    openIdConnectConfiguration,
  };
  fixture.configure({
    globalValidation: { unauthenticatedClientAction: 'Return401' },
    identityProviders: {
      [groupName]: {
        corp: { ...providerSettings, registration: { ...registration, ...registrationSettings } },
      },
    },
  });
}

/** Configures one address of the other provider, which must then be called. */
const callsOtherProvider =
  (name: string, path: string): Effect[1] =>
  async (fixture) => {
    configureProvider(
      fixture,
      {},
      {},
      { ...addresses(fixture.idp), [name]: `${fixture.otherIdp.url}${path}` },
    );
    fixture.otherIdp.calls.length = 0;
    await fixture.signIn('corp');
    expect(fixture.otherIdp.calls.some((call) => call.endsWith(` ${path}`))).toBe(true);
  };

const providerPath = 'identityProviders.customOpenIdConnectProviders.{key}';
const addressesPath = `${providerPath}.registration.openIdConnectConfiguration`;

/** The effect of each property of a custom provider. */
export const customProviderEffects: readonly Effect[] = [
  [
    `${providerPath}.enabled`,
    async (fixture) => {
      configureProvider(fixture, { enabled: false });
      expect((await fixture.get('/.auth/login/corp', browser)).status).toBe(404);
    },
  ],
  [
    `${providerPath}.login.nameClaimType`,
    async (fixture) => {
      configureProvider(fixture, { login: { nameClaimType: 'nick' } });
      fixture.idp.claims = { nick: 'the countess' };
      const { cookies } = await fixture.signIn('corp');
      fixture.app.clear();
      await fixture.get('/', { Cookie: cookies });
      fixture.idp.claims = {};
      expect(fixture.app.requests[0]?.headers['x-svc-client-principal-name']).toBe('the countess');
    },
  ],
  [
    `${providerPath}.login.scopes`,
    async (fixture) => {
      configureProvider(fixture, { login: { scopes: ['profile', 'orders'] } });
      expect((await fixture.location('corp')).searchParams.get('scope')).toBe(
        'openid profile orders',
      );
    },
  ],
  [
    `${providerPath}.login.loginParameterNames`,
    async (fixture) => {
      configureProvider(fixture, { login: { loginParameterNames: ['ui_locales'] } });
      const { searchParams } = await fixture.location('corp', '?ui_locales=de&other=x');
      expect([searchParams.get('ui_locales'), searchParams.get('other')]).toEqual(['de', null]);
    },
  ],
  [
    `${providerPath}.registration.clientCredential.clientSecretSettingName`,
    async (fixture) => {
      configureProvider(fixture);
      expect((await fixture.signIn('corp')).callbackAnswer.status).toBe(302);
      configureProvider(
        fixture,
        {},
        { clientCredential: { clientSecretSettingName: 'wrong-secret' } },
      );
      expect((await fixture.signIn('corp')).callbackAnswer.status).toBe(401);
    },
  ],
  [
    `${providerPath}.registration.clientCredential.method`,
    async (fixture) => {
      configureProvider(
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
    `${providerPath}.registration.clientId`,
    async (fixture) => {
      configureProvider(fixture, {}, { clientId: 'another-client' });
      expect((await fixture.location('corp')).searchParams.get('client_id')).toBe('another-client');
    },
  ],
  [
    `${addressesPath}.authorizationEndpoint`,
    async (fixture) => {
      configureProvider(
        fixture,
        {},
        {},
        { ...addresses(fixture.idp), authorizationEndpoint: `${fixture.otherIdp.url}/authorize` },
      );
      expect((await fixture.location('corp')).origin).toBe(fixture.otherIdp.url);
    },
  ],
  [`${addressesPath}.tokenEndpoint`, callsOtherProvider('tokenEndpoint', '/token')],
  [`${addressesPath}.certificationUri`, callsOtherProvider('certificationUri', '/keys')],
  [
    `${addressesPath}.issuer`,
    async (fixture) => {
      const { idp, otherIdp: other } = fixture;
      configureProvider(fixture, {}, {}, { ...addresses(idp), issuer: other.url });
      expect((await fixture.post('corp', { id_token: await idp.sign({}) })).status).toBe(401);
      expect(
        (await fixture.post('corp', { id_token: await idp.sign({ iss: other.url }) })).status,
      ).toBe(200);
    },
  ],
  [
    `${addressesPath}.wellKnownOpenIdConfiguration`,
    async (fixture) => {
      const wellKnownOpenIdConfiguration = `${fixture.otherIdp.url}/.well-known/openid-configuration`;
      // Discovery is above the explicit addresses, as in the cloud.
      configureProvider(
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
  configureProvider(fixture, {}, {}, addresses(fixture.idp), 'openIdConnectProviders');
  expect((await fixture.signIn('corp')).callbackAnswer.status).toBe(302);
}
