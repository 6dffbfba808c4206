import { cookie, type SidecarUnderTest } from './harness.js';
import type { TestIdentityProvider } from './identity-provider.js';
import { browser, CookieJar, type RawAnswer, request } from './raw-client.js';

const secret = { clientId: 'client-1', clientSecretSettingName: 'directory-secret' };
/** A configuration with a provider of each kind. */
export const everyProvider = (idp: TestIdentityProvider): unknown => ({
  kind: 'exported',
  properties: {
    globalValidation: { unauthenticatedClientAction: 'RedirectToLoginPage' },
    login: { tokenStore: { enabled: true } },
    identityProviders: {
      azureActiveDirectory: {
        registration: { ...secret, openIdIssuer: idp.url },
        login: { loginParameters: ['scope=openid offline_access', 'resource=abc'] },
      },
      legacyMicrosoftAccount: { registration: secret },
      google: { registration: secret },
      facebook: { registration: { appId: 'social-app', appSecretSettingName: 'oauth-secret' } },
      gitHub: { registration: { clientId: 'code-app', clientSecretSettingName: 'oauth-secret' } },
      twitter: {
        registration: { consumerKey: 'micro-app', consumerSecretSettingName: 'consumer-secret' },
      },
      customOpenIdConnectProviders: {
        corp: {
          login: { nameClaimType: 'nick', scopes: ['profile'] },
          registration: {
            clientId: 'client-1',
            clientCredential: {
              method: 'ClientSecretPost',
              clientSecretSettingName: 'directory-secret',
            },
            openIdConnectConfiguration: {
              issuer: idp.url,
              authorizationEndpoint: `${idp.url}/authorize`,
              tokenEndpoint: `${idp.url}/token`,
              certificationUri: `${idp.url}/keys`,
            },
          },
        },
      },
    },
  },
});

/**
 * Signs in as a browser does, by way of a provider.
 *
 * @param callbackPath where the provider sends the browser.
 */
export async function serverFlow(
  sidecar: SidecarUnderTest,
  provider: string,
  callbackPath: (location: URL) => string,
): Promise<{ jar: CookieJar; callbackAnswer: RawAnswer }> {
  const jar = new CookieJar();
  const loginResponse = await request(sidecar.url, {
    path: `/.auth/login/${provider}`,
    headers: browser,
  });
  jar.take(loginResponse);
  const callbackAnswer = await request(sidecar.url, {
    path: callbackPath(new URL(loginResponse.headers['location']?.[0] ?? '')),
    headers: { ...browser, ...cookie(jar) },
  });
  jar.take(callbackAnswer);
  await request(sidecar.url, { path: '/', headers: { ...browser, ...cookie(jar) } });
  return { jar, callbackAnswer };
}
