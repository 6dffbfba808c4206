import type {
  Account,
  Configuration,
  default as Provider,
  KoaContextWithOIDC,
} from 'oidc-provider';
import type * as OidcProviderModule from 'oidc-provider';
import { personClaims } from '../../access/token-claims.js';
import { resourceApplication, rolesClaim, unassignedMessage } from './people-and-applications.js';
import { noTokenError } from './request-errors.js';
import { scopeName, directoryAudience } from './scopes.js';
import type { IdentityProviderContext } from './context.js';

/** A person as oidc-provider's account, with the claims for an application. */
export async function findAccount(
  { directory, settings }: IdentityProviderContext,
  id: string,
  clientId: string,
): Promise<Account | undefined> {
  const person = await directory.person(id);
  if (person === undefined) return undefined;
  return {
    accountId: person.id,
    claims: async () => {
      const memberships = await directory.membershipsOf(person.id);
      return {
        sub: person.id,
        ...personClaims(
          person,
          memberships,
          await directory.application(clientId),
          settings.tenantId,
        ),
        ...(await rolesClaim(directory, person, clientId)),
      };
    },
  };
}

/**
 * Refuses to redeem a code or refresh token of a person who would get no token now: disabled since
 * then, or without a required assignment.
 *
 * @throws CustomOIDCProviderError with the error of the cloud's token endpoint
 */
export async function checkRedemption(
  context: IdentityProviderContext,
  personId: string,
  clientId: string,
  { CustomOIDCProviderError }: (typeof OidcProviderModule)['errors'],
): Promise<void> {
  const person = await context.directory.personEvenIfDisabled(personId);
  const refusal = person && (await noTokenError(context, person, clientId));
  if (refusal === undefined) return;
  const { error, error_description: description } = refusal.body;
  throw new CustomOIDCProviderError(error, description);
}

/** The `state` of the application's request. */
export function stateParameterOf({ params }: KoaContextWithOIDC['oidc']): string | undefined {
  return typeof params?.['state'] === 'string' ? params['state'] : undefined;
}

/**
 * A grant of every scope that a person's sign-in to an application requests: no consent is asked.
 *
 * @throws AccessDenied for a person without a required assignment
 */
export async function grantAllScopes(
  context: IdentityProviderContext,
  { oidc }: KoaContextWithOIDC,
  errors: (typeof OidcProviderModule)['errors'],
): Promise<InstanceType<Provider['Grant']>> {
  const { directory } = context;
  const clientId = oidc.client?.clientId ?? '';
  const accountId = oidc.session?.accountId ?? '';
  const person = await directory.person(accountId);
  if (
    person !== undefined &&
    (await directory.noTokenReasonOf(person, clientId)) === 'unassigned'
  ) {
    context.onSignIn?.(accountId, clientId, stateParameterOf(oidc));
    throw new errors.AccessDenied(unassignedMessage(person, clientId));
  }
  const grant = new oidc.provider.Grant({ clientId, accountId });
  grant.addOIDCScope('openid profile email offline_access');
  for (const [resource, server] of Object.entries(oidc.resourceServers ?? {}))
    grant.addResourceScope(resource, server.scope ?? '');
  await grant.save();
  return grant;
}

/**
 * The claims of a person's access token, including those of the resource's own application.
 *
 * @param scopes of the resource, as they were requested
 */
export async function accessTokenClaims(
  { directory, settings }: IdentityProviderContext,
  token: Parameters<NonNullable<Configuration['extraTokenClaims']>>[1],
  scopes: readonly string[],
): Promise<Record<string, unknown> | undefined> {
  const person = 'accountId' in token ? await directory.person(token.accountId) : undefined;
  if (person === undefined) return undefined;
  const scopeNames = scopes.map(scopeName).filter((name) => name !== '.default');
  const grantedScopes =
    token.aud === directoryAudience
      ? ['openid', 'profile', 'email', 'User.Read', ...scopeNames]
      : scopeNames;
  const audience = String([token.aud].flat()[0]);
  const application =
    (await resourceApplication(directory, audience)) ??
    (await directory.application(token.clientId ?? ''));
  const claims = personClaims(
    person,
    await directory.membershipsOf(person.id),
    application,
    settings.tenantId,
  );
  return {
    ...claims,
    ...(await rolesClaim(directory, person, audience)),
    azp: token.clientId,
    appid: token.clientId,
    scp: [...new Set(grantedScopes)].join(' ') || 'user_impersonation',
  };
}
