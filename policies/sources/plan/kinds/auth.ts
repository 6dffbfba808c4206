import type { Mapping } from '../mapping.js';
import { at, map, notEmpty, setOnly, wordOf } from '../mapping.js';

type Values = Readonly<Record<string, unknown>>;

const secret = (name: unknown): unknown => (typeof name === 'string' && name !== '' ? `secret:${name}` : undefined);
const actions = wordOf({
  RedirectToLoginPage: 'redirectToLogin',
  Return401: 'return401',
  Return403: 'return403',
  AllowAnonymous: 'allowAnonymous',
});
const conventions = wordOf({
  FixedTime: 'fixedTime',
  IdentityProviderDerived: 'identityProviderDerived',
  NoProxy: 'noProxy',
  Standard: 'standard',
  Custom: 'custom',
});
const providerWords: Readonly<Record<string, string>> = {
  azureactivedirectory: 'directory',
  legacymicrosoftaccount: 'personal',
  google: 'search',
  facebook: 'social',
  github: 'codehost',
  twitter: 'microblog',
  apple: 'apple',
};

const setting = (property: string, attribute: string, convert?: (value: unknown) => unknown): Mapping =>
  map(`auth.${property}`, `body.properties.${attribute}`, convert);

const directory = (property: string, attribute: string, convert?: (value: unknown) => unknown): Mapping =>
  setting(`providers.directory.${property}`, `identityProviders.azureActiveDirectory.${attribute}`, convert);

/** A provider with an id and a secret: what castellan.yaml and the cloud call it, and the words for the two. */
const client = (word: string, key: string, [id, idKey]: [string, string] = ['clientId', 'clientId'], secretWord = 'clientSecret') => [
  setting(`providers.${word}.enabled`, `identityProviders.${key}.enabled`),
  setting(`providers.${word}.${id}`, `identityProviders.${key}.registration.${idKey}`),
  setting(`providers.${word}.${secretWord}`, `identityProviders.${key}.registration.${secretWord}SettingName`, secret),
];

/** How the body of `authConfigs` says what an app's sign-in layer does. */
export const auth: readonly Mapping[] = [
  setting('enabled', 'platform.enabled'),
  setting('runtimeVersion', 'platform.runtimeVersion'),
  setting('unauthenticatedAction', 'globalValidation.unauthenticatedClientAction', actions),
  setting('restrictAccess', 'globalValidation.unauthenticatedClientAction', (action) =>
    action === 'AllowAnonymous' ? 'allowUnauthenticated' : undefined,
  ),
  // Only where browsers are sent somewhere: the cloud keeps the provider beside every action.
  setting('redirectTo', 'globalValidation', (validation) => redirectTarget(validation as Values)),
  setting('excludedPaths', 'globalValidation.excludedPaths'),
  setting('requireHttps', 'httpSettings.requireHttps'),
  setting('routes.apiPrefix', 'httpSettings.routes.apiPrefix'),
  setting('forwardProxy.convention', 'httpSettings.forwardProxy.convention', conventions),
  setting('forwardProxy.customHostHeaderName', 'httpSettings.forwardProxy.customHostHeaderName'),
  setting('forwardProxy.customProtoHeaderName', 'httpSettings.forwardProxy.customProtoHeaderName'),
  setting('tokenStore.enabled', 'login.tokenStore.enabled'),
  setting('tokenStore.refreshExtensionHours', 'login.tokenStore.tokenRefreshExtensionHours'),
  setting('tokenStore.blobStorage.sasUrl', 'login.tokenStore.azureBlobStorage.sasUrlSettingName', secret),
  setting('cookieExpiration.convention', 'login.cookieExpiration.convention', conventions),
  setting('cookieExpiration.timeToExpiration', 'login.cookieExpiration.timeToExpiration'),
  setting('nonce.validate', 'login.nonce.validateNonce'),
  setting('nonce.expirationInterval', 'login.nonce.nonceExpirationInterval'),
  setting('routes.logoutEndpoint', 'login.routes.logoutEndpoint'),
  setting('allowedExternalRedirectUrls', 'login.allowedExternalRedirectUrls'),
  setting('preserveUrlFragments', 'login.preserveUrlFragmentsForLogins'),
  setting('keys.encryption', 'encryptionSettings.containerAppAuthEncryptionSecretName', secret),
  setting('keys.signing', 'encryptionSettings.containerAppAuthSigningSecretName', secret),
  directory('enabled', 'enabled'),
  directory('clientId', 'registration.clientId'),
  directory('clientSecret', 'registration.clientSecretSettingName', secret),
  directory('clientSecretCertificate', 'registration', certificate),
  directory('issuer', 'registration.openIdIssuer'),
  directory('loginParameters', 'login.loginParameters'),
  directory('disableWwwAuthenticate', 'login.disableWWWAuthenticate'),
  directory('allowedAudiences', 'validation.allowedAudiences'),
  directory('allowedApplications', 'validation.defaultAuthorizationPolicy.allowedApplications', notEmpty),
  directory('allowedGroups', 'validation.defaultAuthorizationPolicy.allowedPrincipals.groups', notEmpty),
  directory('allowedPrincipals', 'validation.defaultAuthorizationPolicy.allowedPrincipals.identities', notEmpty),
  directory('claimGroups', 'validation.jwtClaimChecks.allowedGroups', notEmpty),
  directory('allowedClientApplications', 'validation.jwtClaimChecks.allowedClientApplications', notEmpty),
  ...client('search', 'google'),
  ...client('codehost', 'gitHub'),
  ...client('apple', 'apple'),
  ...client('personal', 'legacyMicrosoftAccount'),
  ...client('social', 'facebook', ['appId', 'appId'], 'appSecret'),
  ...client('microblog', 'twitter', ['consumerKey', 'consumerKey'], 'consumerSecret'),
  setting('providers.openIdConnect', 'identityProviders.customOpenIdConnectProviders', openIdConnect),
];

function redirectTarget({ unauthenticatedClientAction: action = 'RedirectToLoginPage', redirectToProvider: given }: Values): unknown {
  if (action !== 'RedirectToLoginPage' || typeof given !== 'string' || given === '') return undefined;
  return providerWords[given.toLowerCase()] ?? given;
}

function certificate(registration: unknown): unknown {
  const {
    clientSecretCertificateThumbprint: thumbprint,
    clientSecretCertificateIssuer: issuer,
    clientSecretCertificateSubjectAlternativeName: subjectAlternativeName,
  } = registration as Values;
  const found = setOnly({ thumbprint, issuer, subjectAlternativeName });
  return Object.keys(found).length === 0 ? undefined : found;
}

function openIdConnect(providers: unknown): unknown {
  const entries = Object.entries(providers as Values).filter(([, provider]) => provider !== null && typeof provider === 'object');
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(([name, provider]) => {
      const from = (...path: string[]): unknown => at(provider, path);
      const endpoints = ['registration', 'openIdConnectConfiguration'];
      return [
        name,
        setOnly({
          enabled: from('enabled'),
          clientId: from('registration', 'clientId'),
          clientSecret: secret(from('registration', 'clientCredential', 'clientSecretSettingName')),
          wellKnownConfiguration: from(...endpoints, 'wellKnownOpenIdConfiguration'),
          issuer: from(...endpoints, 'issuer'),
          authorizationEndpoint: from(...endpoints, 'authorizationEndpoint'),
          tokenEndpoint: from(...endpoints, 'tokenEndpoint'),
          certificationUri: from(...endpoints, 'certificationUri'),
        }),
      ];
    }),
  );
}
