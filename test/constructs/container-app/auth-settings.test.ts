import { Secret } from '../../../constructs/index.js';
import { bodyOf, synthesizeAppWithAuth } from './synthesize-app-with-auth.js';

describe('the settings of the sign-in layer', () => {
  it("writes every provider under the cloud's name, with its secret by name", () => {
    const { resource, variable } = synthesizeAppWithAuth(() => ({
      redirectTo: 'codehost',
      providers: {
        search: {
          clientId: 's',
          clientSecret: Secret.fromEnvironment('SEARCH'),
          allowedAudiences: ['a'],
        },
        social: {
          appId: 'f',
          appSecret: Secret.fromEnvironment('SOCIAL'),
          graphApiVersion: 'v19.0',
        },
        codehost: {
          clientId: 'g',
          clientSecret: Secret.fromEnvironment('CODEHOST'),
          scopes: ['read:user'],
        },
        microblog: { consumerKey: 't', consumerSecret: Secret.fromEnvironment('MICROBLOG') },
        apple: { clientId: 'i', clientSecret: Secret.fromApp('apple'), enabled: false },
        personal: { clientId: 'p', clientSecret: Secret.fromEnvironment('PERSONAL') },
        openIdConnect: {
          partner: {
            clientId: 'o',
            clientSecret: Secret.fromEnvironment('PARTNER'),
            wellKnownConfiguration: 'https://idp.example/.well-known/openid-configuration',
          },
        },
      },
    }));
    const auth = resource['azapi_resource']?.['web'];
    const body = auth?.['body'] as { properties: Record<string, Record<string, unknown>> };
    expect(body.properties['globalValidation']).toMatchObject({ redirectToProvider: 'github' });
    expect(body.properties['identityProviders']).toEqual({
      azureActiveDirectory: null,
      google: {
        enabled: true,
        registration: { clientId: 's', clientSecretSettingName: 'search-client-secret' },
        login: null,
        validation: { allowedAudiences: ['a'] },
      },
      facebook: {
        enabled: true,
        graphApiVersion: 'v19.0',
        registration: { appId: 'f', appSecretSettingName: 'social-app-secret' },
        login: null,
      },
      gitHub: {
        enabled: true,
        registration: { clientId: 'g', clientSecretSettingName: 'codehost-client-secret' },
        login: { scopes: ['read:user'] },
      },
      twitter: {
        enabled: true,
        registration: { consumerKey: 't', consumerSecretSettingName: 'microblog-consumer-secret' },
      },
      apple: {
        enabled: false,
        registration: { clientId: 'i', clientSecretSettingName: 'apple' },
        login: null,
      },
      legacyMicrosoftAccount: {
        enabled: true,
        registration: { clientId: 'p', clientSecretSettingName: 'personal-client-secret' },
        login: null,
      },
      customOpenIdConnectProviders: {
        partner: {
          enabled: true,
          registration: {
            clientId: 'o',
            clientCredential: {
              method: 'ClientSecretPost',
              clientSecretSettingName: 'partner-client-secret',
            },
            openIdConnectConfiguration: {
              wellKnownOpenIdConfiguration: 'https://idp.example/.well-known/openid-configuration',
              issuer: null,
              authorizationEndpoint: null,
              tokenEndpoint: null,
              certificationUri: null,
            },
          },
          login: null,
        },
      },
    });
    expect(auth?.['schema_validation_enabled']).toBe(false);
    expect(Object.keys(variable)).toEqual([
      'APPLE',
      'CODEHOST',
      'MICROBLOG',
      'PARTNER',
      'PERSONAL',
      'SEARCH',
      'SOCIAL',
    ]);
  });

  it('writes the settings of session, token store, proxy, paths and keys', () => {
    const properties = bodyOf({
      restrictAccess: 'requireAuthentication',
      unauthenticatedAction: 'return403',
      excludedPaths: ['/healthz', '/public/*'],
      requireHttps: true,
      tokenStore: {
        enabled: true,
        refreshExtensionHours: 24,
        blobStorage: { sasUrl: Secret.fromEnvironment('SAS') },
      },
      cookieExpiration: { convention: 'identityProviderDerived' },
      nonce: { validate: true, expirationInterval: '00:10:00' },
      routes: { apiPrefix: '/sign-in', logoutEndpoint: '/bye' },
      forwardProxy: { convention: 'custom', customHostHeaderName: 'X-Host' },
      allowedExternalRedirectUrls: ['https://shop.example/after'],
      preserveUrlFragments: true,
      keys: {
        encryption: Secret.fromEnvironment('ENCRYPTION'),
        signing: Secret.fromEnvironment('SIGNING'),
      },
      runtimeVersion: '~1',
      providers: {
        codehost: { clientId: 'g', clientSecret: Secret.fromEnvironment('CODEHOST') },
        search: { clientId: 's' },
      },
    });
    expect(properties).toMatchObject({
      platform: { enabled: true, runtimeVersion: '~1' },
      globalValidation: {
        unauthenticatedClientAction: 'Return403',
        redirectToProvider: null,
        excludedPaths: ['/healthz', '/public/*'],
      },
      httpSettings: {
        requireHttps: true,
        routes: { apiPrefix: '/sign-in' },
        forwardProxy: {
          convention: 'Custom',
          customHostHeaderName: 'X-Host',
          customProtoHeaderName: null,
        },
      },
      login: {
        tokenStore: {
          enabled: true,
          tokenRefreshExtensionHours: 24,
          azureBlobStorage: { sasUrlSettingName: 'token-store-sas' },
        },
        cookieExpiration: { convention: 'IdentityProviderDerived', timeToExpiration: null },
        nonce: { validateNonce: true, nonceExpirationInterval: '00:10:00' },
        routes: { logoutEndpoint: '/bye' },
        allowedExternalRedirectUrls: ['https://shop.example/after'],
        preserveUrlFragmentsForLogins: true,
      },
      encryptionSettings: {
        containerAppAuthEncryptionSecretName: 'auth-encryption-key',
        containerAppAuthSigningSecretName: 'auth-signing-key',
      },
    });
  });
});
