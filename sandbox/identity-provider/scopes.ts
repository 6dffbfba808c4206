import { trimEnd } from '../../core/text/trim-end.js';
import { type OAuthError, oauthError } from './oauth-response.js';

/**
 * The scopes of a request that belong to a resource. Those of signing in, such as `openid`, have
 * neither a dot nor a slash.
 */
export function apiScopesOf(scope: string): string[] {
  return scope.split(' ').filter((each) => /[./]/.test(each));
}

/** The name of a scope at its resource: `read` of `api://orders/read`. */
export function scopeName(scope: string): string {
  return scope.slice(scope.lastIndexOf('/') + 1);
}

/**
 * The claim `scp` for the scopes of a request. `.default` means all granted permissions: for a
 * person, `user_impersonation`. Scopes of signing in are the directory's: a token for another
 * resource has them only where nothing else is requested.
 */
export function scopeClaim(scope: string, audience: string): string {
  const apiScopes = apiScopesOf(scope);
  const scopes =
    audience === directoryAudience || apiScopes.length === 0 ? scope.split(' ') : apiScopes;
  const names = scopes
    .map(scopeName)
    .filter((name) => !['', '.default', 'offline_access'].includes(name));
  return [...new Set(names)].join(' ') || 'user_impersonation';
}

/**
 * The resource that scopes name before their last slash: an address, or `api://…`; the client id for
 * the application's own scopes. Undefined if no scope names one.
 */
export function resourceOf(scope: string, clientId: string): string | undefined {
  return resourcesOf(scope, clientId)[0];
}

/** All resources that scopes name, as {@link resourceOf} does. */
function resourcesOf(scope: string, clientId: string): readonly string[] {
  return scope.split(' ').flatMap((each) => {
    const resource = /^(.+)\/[^/]+$/.exec(each)?.[1];
    if (resource === undefined) return [];
    return resource === clientId || resource === `api://${clientId}`
      ? clientId
      : trimEnd(resource, '/');
  });
}

/** The response to scopes of several resources: an access token is for one. Undefined for others. */
export function severalResourcesError(scope: string, clientId: string): OAuthError | undefined {
  const resources = resourcesOf(scope, clientId).map((each) => each.toLowerCase());
  if (new Set(resources).size < 2) return undefined;
  return oauthError(
    400,
    'invalid_scope',
    `AADSTS28000: Provided value for the input parameter scope is not valid because it contains more than one resource. Scope ${scope} is not valid: request a token for each.`,
  );
}

/** The form parameter with the scope of a request to refresh, on its way to oidc-provider. */
export const refreshScopeParameter = 'refresh_scope';

/** The audience of a person's access token for which no other resource is requested. */
export const directoryAudience = 'https://graph.microsoft.com';

/** A resource indicator has to be a URI (RFC 8707): a client id gets its scheme. */
export function toResourceUri(resource: string): string {
  return URL.canParse(resource) ? resource : `api://${resource}`;
}
