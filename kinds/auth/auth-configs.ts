/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const texts: JsonSchema = { type: 'array', items: text };
const oneOf = (...values: string[]): JsonSchema => ({ type: 'string', enum: values });
const closed = (properties: Record<string, JsonSchema>, required?: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required === undefined ? {} : { required }),
  additionalProperties: false,
});

const login = closed({ scopes: texts });
const clientSecret = closed({ clientId: text, clientSecretSettingName: text });

/** The identity providers that the sign-in layer knows by name, as `authConfigs@2025-07-01` declares them. */
const identityProviders: Record<string, JsonSchema> = {
  apple: closed({ enabled: flag, login, registration: clientSecret }),
  azureActiveDirectory: closed({
    enabled: flag,
    isAutoProvisioned: flag,
    login: closed({ disableWWWAuthenticate: flag, loginParameters: texts }),
    registration: closed({
      clientId: text,
      clientSecretCertificateIssuer: text,
      clientSecretCertificateSubjectAlternativeName: text,
      clientSecretCertificateThumbprint: text,
      clientSecretSettingName: text,
      openIdIssuer: text,
    }),
    validation: closed({
      allowedAudiences: texts,
      defaultAuthorizationPolicy: closed({
        allowedApplications: texts,
        allowedPrincipals: closed({ groups: texts, identities: texts }),
      }),
      jwtClaimChecks: closed({ allowedClientApplications: texts, allowedGroups: texts }),
    }),
  }),
  azureStaticWebApps: closed({ enabled: flag, registration: closed({ clientId: text }) }),
  facebook: closed({
    enabled: flag,
    graphApiVersion: text,
    login,
    registration: closed({ appId: text, appSecretSettingName: text }),
  }),
  gitHub: closed({ enabled: flag, login, registration: clientSecret }),
  google: closed({ enabled: flag, login, registration: clientSecret, validation: closed({ allowedAudiences: texts }) }),
  twitter: closed({ enabled: flag, registration: closed({ consumerKey: text, consumerSecretSettingName: text }) }),
};

const customProvider = (extraLogin: Record<string, JsonSchema>): JsonSchema =>
  closed({
    enabled: flag,
    login: closed({ nameClaimType: text, scopes: texts, ...extraLogin }),
    registration: closed({
      clientCredential: closed({ clientSecretSettingName: text, method: { const: 'ClientSecretPost' } }),
      clientId: text,
      openIdConnectConfiguration: closed({
        authorizationEndpoint: text,
        certificationUri: text,
        issuer: text,
        tokenEndpoint: text,
        wellKnownOpenIdConfiguration: text,
      }),
    }),
  });

/** What differs between the strict body and the one the sidecar tolerates. */
interface Extras {
  readonly providers: Record<string, JsonSchema>;
  readonly customLogin: Record<string, JsonSchema>;
  readonly globalValidation: Record<string, JsonSchema>;
  readonly platform: Record<string, JsonSchema>;
  readonly tokenStore: Record<string, JsonSchema>;
  readonly blobStorage: JsonSchema;
  readonly refreshHours: JsonSchema;
  readonly conventions: readonly string[];
}

const properties = (extras: Extras): JsonSchema =>
  closed({
    encryptionSettings: closed({ containerAppAuthEncryptionSecretName: text, containerAppAuthSigningSecretName: text }),
    globalValidation: closed({
      excludedPaths: texts,
      redirectToProvider: text,
      unauthenticatedClientAction: oneOf('RedirectToLoginPage', 'AllowAnonymous', 'Return401', 'Return403'),
      ...extras.globalValidation,
    }),
    httpSettings: closed({
      forwardProxy: closed({
        convention: oneOf('NoProxy', 'Standard', 'Custom'),
        customHostHeaderName: text,
        customProtoHeaderName: text,
      }),
      requireHttps: flag,
      routes: closed({ apiPrefix: text }),
    }),
    identityProviders: closed({
      ...identityProviders,
      customOpenIdConnectProviders: { type: 'object', additionalProperties: customProvider(extras.customLogin) },
      ...extras.providers,
    }),
    login: closed({
      allowedExternalRedirectUrls: texts,
      cookieExpiration: closed({ convention: oneOf(...extras.conventions), timeToExpiration: text }),
      nonce: closed({ nonceExpirationInterval: text, validateNonce: flag }),
      preserveUrlFragmentsForLogins: flag,
      routes: closed({ logoutEndpoint: text }),
      tokenStore: closed({
        azureBlobStorage: extras.blobStorage,
        enabled: flag,
        tokenRefreshExtensionHours: extras.refreshHours,
        ...extras.tokenStore,
      }),
    }),
    platform: closed({ enabled: flag, runtimeVersion: text, ...extras.platform }),
  });

/** The body of `Microsoft.App/containerApps/authConfigs@2025-07-01` (and 2024-03-01, 2026-01-01, which are the same), strictly. */
export const authConfigsBodySchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:Microsoft.App:containerApps:authConfigs:2025-07-01',
  title: 'Microsoft.App/containerApps/authConfigs@2025-07-01 body',
  ...closed({
    properties: properties({
      providers: {},
      customLogin: {},
      globalValidation: {},
      platform: {},
      tokenStore: {},
      blobStorage: closed({ sasUrlSettingName: text }, ['sasUrlSettingName']),
      refreshHours: { type: 'integer' },
      conventions: ['FixedTime', 'IdentityProviderDerived'],
    }),
  }),
};

/**
 * What the sidecar reads: the strict body's `properties` plus what only the previews have (a token store by managed identity), what only
 * the sister web-app product has (personal accounts, `requireAuthentication`, …), its two other spellings, and `allowedEmailDomains`, which
 * only the sidecar has.
 */
export const sidecarAuthSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:castellan:auth-sidecar:configuration',
  title: 'Configuration of the auth sidecar: the properties of authConfigs',
  ...properties({
    providers: {
      legacyMicrosoftAccount: closed({
        enabled: flag,
        login,
        registration: clientSecret,
        validation: closed({ allowedAudiences: texts }),
      }),
      openIdConnectProviders: { type: 'object', additionalProperties: customProvider({ loginParameterNames: texts }) },
    },
    customLogin: { loginParameterNames: texts },
    globalValidation: { requireAuthentication: flag, allowedEmailDomains: texts },
    platform: { configFilePath: text },
    tokenStore: { fileSystem: closed({ directory: text }) },
    blobStorage: closed({ sasUrlSettingName: text, blobContainerUri: text, clientId: text, managedIdentityResourceId: text }),
    refreshHours: { type: 'number', minimum: 0 },
    conventions: ['FixedTime', 'IdentityProviderDerived', 'IdentityDerived'],
  }),
};

/** What may stand around `properties` when the whole resource is given, as the cloud exports it. */
export const authConfigsEnvelope = ['properties', 'id', 'name', 'type', 'kind', 'location', 'apiVersion', 'systemData', 'tags'] as const;
