import type { IdentityProviderKey } from '../../core/dialect/dialect.js';
import { type BodyWriter, writeBody } from '../schema/body-writer.js';
import { auth } from './auth.js';
import { orderedRequirement } from './requirements.js';
import type {
  ResolvedAuth,
  ResolvedDirectoryProvider,
  ResolvedProviders,
} from './resolved-auth.js';

/** The issuer of the tokens of a tenant of the cloud. */
export function issuerOfTenant(tenant: string): string {
  return `https://login.microsoftonline.com/${tenant}/v2.0`;
}

/** The keys of `authConfigs` by the names of providers in castellan.yaml. */
export const providerKeys = {
  directory: 'azureActiveDirectory',
  personal: 'legacyMicrosoftAccount',
  search: 'google',
  social: 'facebook',
  codehost: 'gitHub',
  microblog: 'twitter',
  apple: 'apple',
} as const satisfies Record<Exclude<keyof ResolvedProviders, 'openIdConnect'>, IdentityProviderKey>;

/** The `properties` of an app's `authConfigs`: contains every setting, unset ones as null. */
export function authProperties(
  settings: ResolvedAuth,
  writer: BodyWriter,
): Record<string, unknown> {
  const { restrictAccess, unauthenticatedAction = 'redirectToLogin', providers } = settings;
  const { directory, ...others } = providers;
  const declared = {
    ...settings,
    // without restricted access every request passes; with it, browsers are sent to sign in by
    // default
    unauthenticatedAction:
      restrictAccess === 'allowUnauthenticated' ? 'allowAnonymous' : unauthenticatedAction,
    redirectTo: redirectTarget(settings),
    requirements: settings.requirements?.map(orderedRequirement),
    providers: { ...others, directory: directory && withRegistration(directory) },
  };
  return writeBody(auth.properties, declared, writer);
}

/** The directory provider with client id, secret and audience of its registration. */
function withRegistration({ registration, ...provider }: ResolvedDirectoryProvider): object {
  if (registration === undefined) return provider;
  const {
    clientSecret = provider.clientSecretCertificate === undefined
      ? registration.clientSecret
      : undefined,
  } = provider;
  const { allowedAudiences = [`api://${registration.clientId}`] } = provider;
  return { ...provider, clientId: registration.clientId, clientSecret, allowedAudiences };
}

/** The provider to redirect to: the declared one, otherwise the only one. */
function redirectTarget({
  redirectTo,
  providers: { openIdConnect, ...builtIn },
}: ResolvedAuth): string | undefined {
  const allProviders = { ...builtIn, ...openIdConnect };
  const enabledNames = Object.entries(allProviders).flatMap(([name, provider]) =>
    provider !== undefined && provider.enabled !== false ? [name] : [],
  );
  return redirectTo ?? (enabledNames.length === 1 ? enabledNames[0] : undefined);
}
