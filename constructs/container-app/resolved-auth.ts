import type { ResolvedAuth } from '../../kinds/auth/resolved-auth.js';
import { issuerOfTenant } from '../../kinds/auth/auth-body.js';
import { caller } from '../directory/caller.js';
import { objectIdOf } from '../directory/reference.js';
import type { Construct } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import type { AuthSettings } from './auth-props.js';

/** Sign-in settings whose references are object ids and values known after apply. */
export function resolvedAuth(scope: Construct, { providers, ...auth }: AuthSettings): ResolvedAuth {
  const { directory, ...others } = providers;
  if (directory === undefined) return { ...auth, providers: others };
  const { registration, allowedGroups, allowedPrincipals, claimGroups, tenantId, issuer, ...provider } = directory;
  return {
    ...auth,
    providers: {
      ...others,
      directory: {
        ...provider,
        registration,
        issuer: issuer ?? issuerOf(scope, tenantId),
        allowedGroups: allowedGroups?.map(objectIdOf),
        allowedPrincipals: allowedPrincipals?.map(objectIdOf),
        claimGroups: claimGroups?.map(objectIdOf),
      },
    },
  };
}

/** The issuer of a tenant's tokens: of the given one, else of the stack's, else of the caller who applies the stack. */
function issuerOf(scope: Construct, tenantId: string | undefined): string {
  return issuerOfTenant(tenantId ?? cloudSettings(scope).tenantId ?? caller(scope).tenantId);
}
