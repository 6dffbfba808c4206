import { objectIdOf } from '../directory/reference.js';
import { caller } from '../directory/caller.js';
import type { Construct } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { literalData, literalText } from '../internal/literal-text.js';
import type { AppSecrets } from './app-secrets.js';
import type { AuthProviders, DirectoryProvider } from './auth-props.js';
import { section, withExplicitNulls } from './explicit-nulls.js';

type ClientProvider = NonNullable<AuthProviders['search']>;
type OpenIdConnectProvider = NonNullable<AuthProviders['openIdConnect']>[string];

/** The providers of an app as `authConfigs` names and shapes them; secrets by name only. */
export function identityProviderSettings(scope: Construct, providers: AuthProviders, secrets: AppSecrets): Record<string, unknown> {
  const { directory, personal, search, social, codehost, microblog, apple, openIdConnect } = providers;
  const client = (word: string, provider: ClientProvider | undefined) =>
    provider === undefined ? null : clientProvider(provider, secrets, `${word}-client-secret`);
  return {
    azureActiveDirectory: directory === undefined ? null : directoryProvider(scope, directory, secrets),
    google: client('search', search),
    gitHub: client('codehost', codehost),
    apple: client('apple', apple),
    facebook: social === undefined ? null : socialProvider(social, secrets),
    twitter: microblog === undefined ? null : microblogProvider(microblog, secrets),
    customOpenIdConnectProviders:
      openIdConnect === undefined
        ? null
        : Object.fromEntries(Object.entries(openIdConnect).map(([name, each]) => [name, openIdConnectProvider(name, each, secrets)])),
    ...(personal === undefined ? {} : { legacyMicrosoftAccount: client('personal', personal) }),
  };
}

function directoryProvider(scope: Construct, provider: DirectoryProvider, secrets: AppSecrets): Record<string, unknown> {
  const { registration, clientSecretCertificate: certificate } = provider;
  const clientId = registration?.clientId ?? provider.clientId;
  const secret = provider.clientSecret ?? (certificate === undefined ? registration?.clientSecret : undefined);
  return withExplicitNulls({
    enabled: provider.enabled ?? true,
    registration: withExplicitNulls({
      clientId,
      clientSecretSettingName: secret === undefined ? undefined : secrets.add('directory-client-secret', secret),
      clientSecretCertificateThumbprint: certificate?.thumbprint,
      clientSecretCertificateIssuer: certificate?.issuer,
      clientSecretCertificateSubjectAlternativeName: certificate?.subjectAlternativeName,
      openIdIssuer: provider.issuer ?? issuerOf(scope, provider.tenantId),
    }),
    login: section({
      loginParameters: copied(provider.loginParameters),
      disableWWWAuthenticate: provider.disableWwwAuthenticate,
    }),
    validation: section({
      allowedAudiences: copied(provider.allowedAudiences) ?? (registration === undefined ? undefined : [`api://${registration.clientId}`]),
      defaultAuthorizationPolicy: section({
        allowedApplications: copied(provider.allowedApplications),
        allowedPrincipals: section({ groups: idsOf(provider.allowedGroups), identities: idsOf(provider.allowedPrincipals) }),
      }),
      jwtClaimChecks: section({
        allowedGroups: idsOf(provider.claimGroups),
        allowedClientApplications: copied(provider.allowedClientApplications),
      }),
    }),
  });
}

/** The issuer of a tenant's tokens: of the given one, else of the stack's, else of whoever applies the stack. */
function issuerOf(scope: Construct, tenantId: string | undefined): string {
  const tenant = tenantId ?? cloudSettings(scope).tenantId ?? caller(scope).tenantId;
  return `https://login.microsoftonline.com/${tenant}/v2.0`;
}

function clientProvider(provider: ClientProvider, secrets: AppSecrets, secretName: string): Record<string, unknown> {
  const { enabled, clientId, clientSecret, scopes, allowedAudiences } = provider;
  return withExplicitNulls({
    enabled: enabled ?? true,
    registration: withExplicitNulls({
      clientId: literalText(clientId),
      clientSecretSettingName: clientSecret === undefined ? undefined : secrets.add(secretName, clientSecret),
    }),
    login: section({ scopes: copied(scopes) }),
    ...(allowedAudiences === undefined ? {} : { validation: { allowedAudiences: copied(allowedAudiences) } }),
  });
}

function socialProvider(provider: NonNullable<AuthProviders['social']>, secrets: AppSecrets): Record<string, unknown> {
  return withExplicitNulls({
    enabled: provider.enabled ?? true,
    graphApiVersion: provider.graphApiVersion,
    registration: { appId: literalText(provider.appId), appSecretSettingName: secrets.add('social-app-secret', provider.appSecret) },
    login: section({ scopes: copied(provider.scopes) }),
  });
}

function microblogProvider(provider: NonNullable<AuthProviders['microblog']>, secrets: AppSecrets): Record<string, unknown> {
  return {
    enabled: provider.enabled ?? true,
    registration: {
      consumerKey: literalText(provider.consumerKey),
      consumerSecretSettingName: secrets.add('microblog-consumer-secret', provider.consumerSecret),
    },
  };
}

function openIdConnectProvider(name: string, provider: OpenIdConnectProvider, secrets: AppSecrets): Record<string, unknown> {
  const secretName = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-client-secret`;
  return {
    enabled: provider.enabled ?? true,
    registration: withExplicitNulls({
      clientId: literalText(provider.clientId),
      clientCredential:
        provider.clientSecret === undefined
          ? undefined
          : { method: 'ClientSecretPost', clientSecretSettingName: secrets.add(secretName, provider.clientSecret) },
      openIdConnectConfiguration: withExplicitNulls({
        wellKnownOpenIdConfiguration: provider.wellKnownConfiguration,
        issuer: provider.issuer,
        authorizationEndpoint: provider.authorizationEndpoint,
        tokenEndpoint: provider.tokenEndpoint,
        certificationUri: provider.certificationUri,
      }),
    }),
    login: section({ nameClaimType: provider.nameClaimType, scopes: copied(provider.scopes) }),
  };
}

function idsOf(references: readonly Parameters<typeof objectIdOf>[0][] | undefined): string[] | undefined {
  return references?.map(objectIdOf);
}

function copied(items: readonly string[] | undefined): string[] | undefined {
  return items === undefined ? undefined : literalData([...items]);
}
