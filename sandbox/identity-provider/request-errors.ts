import {
  type PeopleAndApplications,
  appIdIn,
  type Person,
  unassignedMessage,
} from './people-and-applications.js';
import { type OAuthError, oauthError } from './oauth-response.js';
import type { FastifyRequest } from 'fastify';
import { isGuid } from '../../core/values/guid.js';
import { personalAccountTenant } from '../../services/common/caller.js';
import type { SandboxSettings } from '../settings.js';
import type { IdentityProviderContext } from './context.js';

/** The tenant in the path of a request: its id, its domain name, or a word such as `common`. */
export function tenantOf({ params }: FastifyRequest): string {
  return (params as { readonly tenant?: string }).tenant ?? '';
}

/** The response at the address of another tenant's id; undefined for this tenant. */
export function unknownTenantError(
  tenant: string,
  { tenantId }: SandboxSettings,
): OAuthError | undefined {
  if (!isGuid(tenant) || [tenantId, personalAccountTenant].includes(tenant.toLowerCase()))
    return undefined;
  return oauthError(
    400,
    'invalid_tenant',
    `AADSTS90002: Tenant '${tenant}' not found. Check that the tenant id is that of this sandbox.`,
  );
}

/** Why a person gets no token for an application from the token endpoint; undefined if there is one. */
export async function noTokenError(
  { directory }: Pick<IdentityProviderContext, 'directory'>,
  person: Person,
  clientId: string,
): Promise<OAuthError | undefined> {
  const reason = await directory.noTokenReasonOf(person, clientId);
  if (reason === undefined) return undefined;
  const description =
    reason === 'disabled'
      ? 'AADSTS50057: The user account is disabled.'
      : unassignedMessage(person, clientId);
  return oauthError(400, 'invalid_grant', description);
}

/**
 * The response to a request that no grant is read of: at another tenant's address, or of a disabled
 * application.
 */
export async function requestError(
  { settings, directory }: IdentityProviderContext,
  tenant: string,
  clientId: string,
): Promise<OAuthError | undefined> {
  const refusal = unknownTenantError(tenant, settings);
  if (refusal !== undefined || clientId === '') return refusal;
  const principal = await directory.servicePrincipal(clientId);
  if (principal?.accountEnabled !== false) return undefined;
  const name = principal.displayName ?? '';
  return oauthError(
    400,
    'unauthorized_client',
    `AADSTS7000112: Application '${clientId}'(${name}) is disabled.`,
  );
}

/**
 * The response to a request for a token of an application that is disabled; undefined if the
 * audience names none by its id, or an enabled one.
 */
export async function disabledResourceError(
  directory: Pick<PeopleAndApplications, 'servicePrincipal'>,
  audience: string,
): Promise<OAuthError | undefined> {
  const appId = appIdIn(audience);
  const principal = appId === undefined ? undefined : await directory.servicePrincipal(appId);
  if (principal?.accountEnabled !== false) return undefined;
  return oauthError(
    400,
    'invalid_resource',
    `AADSTS500014: The service principal for resource '${audience}' is disabled.`,
  );
}
