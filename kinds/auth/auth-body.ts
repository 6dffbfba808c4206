import type { IdentityProviderKey } from '../../core/dialect/dialect.js';
import { section, withExplicitNulls } from './explicit-nulls.js';
import { identityProviderSettings } from './identity-provider-settings.js';
import type { ResolvedProviders, ResolvedAuth, AuthBodyWriter } from './resolved-auth.js';

/** The issuer of the tokens of a tenant of the cloud. */
export function issuerOfTenant(tenant: string): string {
  return `https://login.microsoftonline.com/${tenant}/v2.0`;
}

/** The specs' words for providers and the keys of `authConfigs`. */
export const providerKeys = {
  directory: 'azureActiveDirectory',
  personal: 'legacyMicrosoftAccount',
  search: 'google',
  social: 'facebook',
  codehost: 'gitHub',
  microblog: 'twitter',
  apple: 'apple',
} as const satisfies Record<Exclude<keyof ResolvedProviders, 'openIdConnect'>, IdentityProviderKey>;

const actions = {
  redirectToLogin: 'RedirectToLoginPage',
  return401: 'Return401',
  return403: 'Return403',
  allowAnonymous: 'AllowAnonymous',
} as const;

const conventions = {
  fixedTime: 'FixedTime',
  identityProviderDerived: 'IdentityProviderDerived',
  noProxy: 'NoProxy',
  standard: 'Standard',
  custom: 'Custom',
} as const;

/** The `properties` of an app's `authConfigs`: every setting is there, unset ones as null. */
export function authProperties(auth: ResolvedAuth, write: AuthBodyWriter): Record<string, unknown> {
  const { keys, forwardProxy, routes } = auth;
  return {
    platform: withExplicitNulls({ enabled: auth.enabled ?? true, runtimeVersion: auth.runtimeVersion }),
    globalValidation: withExplicitNulls({
      unauthenticatedClientAction: unauthenticatedAction(auth),
      redirectToProvider: redirectToProvider(auth),
      excludedPaths: auth.excludedPaths === undefined ? undefined : write.literal([...auth.excludedPaths]),
    }),
    httpSettings: withExplicitNulls({
      requireHttps: auth.requireHttps ?? true,
      routes: section({ apiPrefix: routes?.apiPrefix }),
      forwardProxy: section({
        convention: forwardProxy?.convention === undefined ? undefined : conventions[forwardProxy.convention],
        customHostHeaderName: forwardProxy?.customHostHeaderName,
        customProtoHeaderName: forwardProxy?.customProtoHeaderName,
      }),
    }),
    identityProviders: identityProviderSettings(auth.providers, write),
    login: loginSettings(auth, write),
    encryptionSettings:
      keys === undefined
        ? null
        : {
            containerAppAuthEncryptionSecretName: write.addSecret('auth-encryption-key', keys.encryption),
            containerAppAuthSigningSecretName: write.addSecret('auth-signing-key', keys.signing),
          },
  };
}

function loginSettings(auth: ResolvedAuth, write: AuthBodyWriter): Record<string, unknown> {
  const { tokenStore, cookieExpiration, nonce, routes, allowedExternalRedirectUrls } = auth;
  const blobStorage = tokenStore?.blobStorage;
  return withExplicitNulls({
    tokenStore: withExplicitNulls({
      enabled: tokenStore?.enabled ?? false,
      tokenRefreshExtensionHours: tokenStore?.refreshExtensionHours,
      azureBlobStorage:
        blobStorage === undefined ? undefined : { sasUrlSettingName: write.addSecret('token-store-sas', blobStorage.sasUrl) },
    }),
    cookieExpiration: section({
      convention: cookieExpiration?.convention === undefined ? undefined : conventions[cookieExpiration.convention],
      timeToExpiration: cookieExpiration?.timeToExpiration,
    }),
    nonce: section({ validateNonce: nonce?.validate, nonceExpirationInterval: nonce?.expirationInterval }),
    routes: section({ logoutEndpoint: routes?.logoutEndpoint }),
    allowedExternalRedirectUrls: allowedExternalRedirectUrls === undefined ? undefined : write.literal([...allowedExternalRedirectUrls]),
    preserveUrlFragmentsForLogins: auth.preserveUrlFragments,
  });
}

/** Without restriction every request passes; with it, browsers are sent to sign in unless declared otherwise. */
function unauthenticatedAction({ restrictAccess, unauthenticatedAction: action = 'redirectToLogin' }: ResolvedAuth): string {
  return restrictAccess === 'allowUnauthenticated' ? actions.allowAnonymous : (actions[action] ?? action);
}

/** The cloud's name of the provider to redirect to: the declared one, else the only one there is. */
function redirectToProvider({ redirectTo, providers }: ResolvedAuth): string | undefined {
  const offered = offeredProviders(providers);
  const chosen = redirectTo ?? (offered.length === 1 ? offered[0] : undefined);
  if (chosen === undefined) return undefined;
  return chosen in providerKeys ? providerKeys[chosen as keyof typeof providerKeys].toLowerCase() : chosen;
}

function offeredProviders({ openIdConnect, ...builtIn }: ResolvedProviders): string[] {
  const all = { ...builtIn, ...openIdConnect };
  return Object.entries(all).flatMap(([name, provider]) => (provider !== undefined && provider.enabled !== false ? [name] : []));
}
