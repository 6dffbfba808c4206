import type { AuthBodyWriter, ResolvedDirectoryProvider, ResolvedProviders } from './resolved-auth.js';
import { section, withExplicitNulls } from './explicit-nulls.js';

type ClientProvider = NonNullable<ResolvedProviders['search']>;
type OpenIdConnectProvider = NonNullable<ResolvedProviders['openIdConnect']>[string];

/** The providers of an app as `authConfigs` names and shapes them; secrets by name only. */
export function identityProviderSettings(providers: ResolvedProviders, write: AuthBodyWriter): Record<string, unknown> {
  const { directory, personal, search, social, codehost, microblog, apple, openIdConnect } = providers;
  const client = (word: string, provider: ClientProvider | undefined) =>
    provider === undefined ? null : clientProvider(provider, write, `${word}-client-secret`);
  return {
    azureActiveDirectory: directory === undefined ? null : directoryProvider(directory, write),
    google: client('search', search),
    gitHub: client('codehost', codehost),
    apple: client('apple', apple),
    facebook: social === undefined ? null : socialProvider(social, write),
    twitter: microblog === undefined ? null : microblogProvider(microblog, write),
    customOpenIdConnectProviders:
      openIdConnect === undefined
        ? null
        : Object.fromEntries(Object.entries(openIdConnect).map(([name, each]) => [name, openIdConnectProvider(name, each, write)])),
    ...(personal === undefined ? {} : { legacyMicrosoftAccount: client('personal', personal) }),
  };
}

function directoryProvider(provider: ResolvedDirectoryProvider, write: AuthBodyWriter): Record<string, unknown> {
  const { registration, clientSecretCertificate: certificate } = provider;
  const clientId = registration?.clientId ?? provider.clientId;
  const secret = provider.clientSecret ?? (certificate === undefined ? registration?.clientSecret : undefined);
  return withExplicitNulls({
    enabled: provider.enabled ?? true,
    registration: withExplicitNulls({
      clientId,
      clientSecretSettingName: secret === undefined ? undefined : write.addSecret('directory-client-secret', secret),
      clientSecretCertificateThumbprint: certificate?.thumbprint,
      clientSecretCertificateIssuer: certificate?.issuer,
      clientSecretCertificateSubjectAlternativeName: certificate?.subjectAlternativeName,
      openIdIssuer: provider.issuer,
    }),
    login: section({
      loginParameters: copied(provider.loginParameters, write),
      disableWWWAuthenticate: provider.disableWwwAuthenticate,
    }),
    validation: section({
      allowedAudiences:
        copied(provider.allowedAudiences, write) ?? (registration === undefined ? undefined : [`api://${registration.clientId}`]),
      defaultAuthorizationPolicy: section({
        allowedApplications: copied(provider.allowedApplications, write),
        allowedPrincipals: section({ groups: ids(provider.allowedGroups), identities: ids(provider.allowedPrincipals) }),
      }),
      jwtClaimChecks: section({
        allowedGroups: ids(provider.claimGroups),
        allowedClientApplications: copied(provider.allowedClientApplications, write),
      }),
    }),
  });
}

function clientProvider(provider: ClientProvider, write: AuthBodyWriter, secretName: string): Record<string, unknown> {
  const { enabled, clientId, clientSecret, scopes, allowedAudiences } = provider;
  return withExplicitNulls({
    enabled: enabled ?? true,
    registration: withExplicitNulls({
      clientId: write.literal(clientId),
      clientSecretSettingName: clientSecret === undefined ? undefined : write.addSecret(secretName, clientSecret),
    }),
    login: section({ scopes: copied(scopes, write) }),
    ...(allowedAudiences === undefined ? {} : { validation: { allowedAudiences: copied(allowedAudiences, write) } }),
  });
}

function socialProvider(provider: NonNullable<ResolvedProviders['social']>, write: AuthBodyWriter): Record<string, unknown> {
  return withExplicitNulls({
    enabled: provider.enabled ?? true,
    graphApiVersion: provider.graphApiVersion,
    registration: { appId: write.literal(provider.appId), appSecretSettingName: write.addSecret('social-app-secret', provider.appSecret) },
    login: section({ scopes: copied(provider.scopes, write) }),
  });
}

function microblogProvider(provider: NonNullable<ResolvedProviders['microblog']>, write: AuthBodyWriter): Record<string, unknown> {
  return {
    enabled: provider.enabled ?? true,
    registration: {
      consumerKey: write.literal(provider.consumerKey),
      consumerSecretSettingName: write.addSecret('microblog-consumer-secret', provider.consumerSecret),
    },
  };
}

function openIdConnectProvider(name: string, provider: OpenIdConnectProvider, write: AuthBodyWriter): Record<string, unknown> {
  const secretName = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-client-secret`;
  return {
    enabled: provider.enabled ?? true,
    registration: withExplicitNulls({
      clientId: write.literal(provider.clientId),
      clientCredential:
        provider.clientSecret === undefined
          ? undefined
          : { method: 'ClientSecretPost', clientSecretSettingName: write.addSecret(secretName, provider.clientSecret) },
      openIdConnectConfiguration: withExplicitNulls({
        wellKnownOpenIdConfiguration: provider.wellKnownConfiguration,
        issuer: provider.issuer,
        authorizationEndpoint: provider.authorizationEndpoint,
        tokenEndpoint: provider.tokenEndpoint,
        certificationUri: provider.certificationUri,
      }),
    }),
    login: section({ nameClaimType: provider.nameClaimType, scopes: copied(provider.scopes, write) }),
  };
}

function copied(items: readonly string[] | undefined, write: AuthBodyWriter): string[] | undefined {
  return items === undefined ? undefined : write.literal([...items]);
}

function ids(objectIds: readonly string[] | undefined): string[] | undefined {
  return objectIds === undefined ? undefined : [...objectIds];
}
