import fc from 'fast-check';
import { auth } from '../../../kinds/auth/auth.js';
import { authProperties } from '../../../kinds/auth/auth-body.js';
import type { ResolvedAuth } from '../../../kinds/auth/resolved-auth.js';
import { bodyMappingsOf } from '../../../kinds/schema/mapping.js';
import { readDeclared } from '../../../policies/sources/plan/declared-value.js';

const writer = {
  escapeValue: <Data>(data: Data): Data => data,
  addSecret: (_name: string, reference: string) => reference.slice('secret:'.length),
};

/** Every setting with a value that isn't its default. */
const allSettings = {
  enabled: false,
  runtimeVersion: '~1',
  unauthenticatedAction: 'return403',
  redirectTo: 'partner',
  excludedPaths: ['/healthz', '/public/*'],
  requireHttps: false,
  tokenStore: { enabled: true, refreshExtensionHours: 24, blobStorage: { sasUrl: 'secret:sas' } },
  cookieExpiration: { convention: 'identityProviderDerived', timeToExpiration: '08:00:00' },
  nonce: { validate: false, expirationInterval: '00:10:00' },
  routes: { apiPrefix: '/sign-in', logoutEndpoint: '/bye' },
  forwardProxy: {
    convention: 'custom',
    customHostHeaderName: 'X-Host',
    customProtoHeaderName: 'X-Proto',
  },
  allowedExternalRedirectUrls: ['https://shop.example/after'],
  preserveUrlFragments: true,
  keys: { encryption: 'secret:encryption', signing: 'secret:signing' },
} as const;
const client = {
  enabled: false,
  clientId: 'a',
  clientSecret: 'secret:b',
  scopes: ['read'],
} as const;
const providers = {
  directory: {
    clientId: 'd',
    clientSecret: 'secret:d',
    clientSecretCertificate: { thumbprint: '0123456789abcdef0123456789abcdef01234567' },
    issuer: 'https://idp.example/',
    allowedAudiences: ['api://d'],
    allowedGroups: ['g'],
    allowedPrincipals: ['p'],
    allowedApplications: ['x'],
    allowedClientApplications: ['y'],
    claimGroups: ['h'],
    loginParameters: ['domain_hint=contoso.com'],
    disableWwwAuthenticate: true,
  },
  personal: { ...client, allowedAudiences: ['p'] },
  search: { ...client, allowedAudiences: ['s'] },
  social: { appId: 'f', appSecret: 'secret:f', graphApiVersion: 'v19.0', scopes: ['email'] },
  codehost: client,
  microblog: { consumerKey: 'k', consumerSecret: 'secret:k' },
  apple: { clientId: 'i', clientSecret: 'secret:i' },
  openIdConnect: {
    partner: {
      ...client,
      wellKnownConfiguration: 'https://idp.example/.well-known/openid-configuration',
      nameClaimType: 'name',
    },
  },
} as const;

/** Some of the properties of an object, at its top and one level below. */
const subsetOf = (object: object): fc.Arbitrary<object> =>
  fc.subarray(Object.entries(object)).map((entries) => Object.fromEntries(entries) as object);

test('auth.schema reads settings back from the request body into which they were written', () => {
  fc.assert(
    fc.property(
      subsetOf(allSettings),
      subsetOf(providers),
      subsetOf(providers.directory),
      (settings, providerSubset, directory) => {
        const declaredProviders =
          'directory' in providerSubset
            ? { ...providerSubset, directory: { issuer: 'https://idp.example/', ...directory } }
            : providerSubset;
        const declared = {
          unauthenticatedAction: 'return401',
          redirectTo: 'codehost',
          tokenStore: {},
          ...settings,
          providers: declaredProviders,
        };
        const body = authProperties(declared as unknown as ResolvedAuth, writer);
        const { value } = readDeclared(bodyMappingsOf(auth.schema), {
          after: body,
          afterUnknown: {},
          exists: false,
        });
        expect(value).toEqual(
          Object.keys(declaredProviders).length > 0
            ? declared
            : { ...declared, providers: undefined },
        );
      },
    ),
  );
});

test('authProperties is null for undeclared settings, and has only providers of the cloud', () => {
  const properties = authProperties({ providers: { search: { clientId: 's' } } }, writer);
  expect(properties).toEqual({
    platform: { enabled: true, runtimeVersion: null },
    globalValidation: {
      unauthenticatedClientAction: 'RedirectToLoginPage',
      redirectToProvider: 'google',
      excludedPaths: null,
    },
    httpSettings: { requireHttps: true, routes: null, forwardProxy: null },
    identityProviders: {
      azureActiveDirectory: null,
      google: {
        enabled: true,
        registration: { clientId: 's', clientSecretSettingName: null },
        login: null,
      },
      facebook: null,
      gitHub: null,
      twitter: null,
      apple: null,
      customOpenIdConnectProviders: null,
    },
    login: {
      tokenStore: { enabled: false, tokenRefreshExtensionHours: null, azureBlobStorage: null },
      cookieExpiration: null,
      nonce: null,
      routes: null,
      allowedExternalRedirectUrls: null,
      preserveUrlFragmentsForLogins: null,
    },
    encryptionSettings: null,
  });
});

it.each(['constructor', 'toString', '__proto__'])(
  'a group that is named like a member of objects is required: %s',
  (group) => {
    const okta = {
      clientId: group,
      wellKnownConfiguration: 'https://okta.example/.well-known/openid-configuration',
      allowedGroups: [group],
    };
    const properties = authProperties(
      { providers: { openIdConnect: { okta } } } as unknown as ResolvedAuth,
      writer,
    );
    const { identityProviders } = JSON.parse(JSON.stringify(properties)) as {
      identityProviders: { customOpenIdConnectProviders: Record<string, unknown> };
    };
    expect(identityProviders.customOpenIdConnectProviders['okta']).toMatchObject({
      registration: { clientId: group },
      validation: { allowedGroups: [group] },
    });
  },
);
