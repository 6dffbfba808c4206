import { badRequest } from '../http/errors.js';
import type { Directory } from '../kernel/directory.js';
import { merged } from '../kernel/standard-operations.js';
import { isObject } from '../kernel/write-body.js';
import type { Body } from '../store/objects.js';
import { mergedApplicationProperties } from './application-type.js';
import { readEntitlements } from './entitlements.js';
import { checkIdentifierUris } from './identifier-uris.js';

const audiences = ['AzureADMyOrg', 'AzureADMultipleOrgs', 'AzureADandPersonalMicrosoftAccount', 'PersonalMicrosoftAccount'];
const maximumRedirectUris = 256;

/**
 * The application that values lead to: complex properties merged by member, optional claims replaced whole, everything held against
 * the rules.
 *
 * @throws DirectoryError 400.
 */
export async function nextApplication(directory: Directory, id: string, current: Body, values: Body): Promise<Body> {
  if (values['displayName'] === '')
    throw badRequest("A value is required for property 'displayName' of resource 'application'.", 'displayName');
  const tooLong = [
    ['displayName', 256],
    ['description', 1024],
    ['notes', 1024],
  ] as const;
  for (const [name, maximum] of tooLong) {
    const value = values[name];
    if (typeof value === 'string' && value.length > maximum)
      throw badRequest(`Invalid value specified for property '${name}': at most ${maximum} characters are allowed.`, name);
  }
  const audience = values['signInAudience'];
  if (typeof audience === 'string' && !audiences.includes(audience))
    throw badRequest(
      `Invalid value specified for property 'signInAudience': one of ${audiences.join(', ')} is expected.`,
      'signInAudience',
    );
  const next = merged(current, emptied(values), mergedApplicationProperties);
  if (values['identifierUris'] !== undefined) await checkIdentifierUris(directory, next['identifierUris'], id);
  if (values['appRoles'] !== undefined) next['appRoles'] = readEntitlements('appRoles', values['appRoles'], current['appRoles']);
  next['api'] = nextApi(current['api'], next['api'], values['api']);
  if (isObject(values['optionalClaims'])) next['optionalClaims'] = optionalClaims(values['optionalClaims']);
  for (const platform of ['web', 'spa', 'publicClient']) if (values[platform] !== undefined) checkRedirectUris(platform, next[platform]);
  return next;
}

/** A complex property set to null keeps its empty shape: readers expect an object there. */
function emptied(values: Body): Body {
  const kept = Object.entries(values).filter(([name, value]) => value !== null || !mergedApplicationProperties.includes(name));
  return Object.fromEntries(kept);
}

function nextApi(before: unknown, next: unknown, given: unknown): unknown {
  if (!isObject(given) || !isObject(next) || given['oauth2PermissionScopes'] === undefined) return next;
  const current = isObject(before) ? before['oauth2PermissionScopes'] : undefined;
  return { ...next, oauth2PermissionScopes: readEntitlements('oauth2PermissionScopes', given['oauth2PermissionScopes'], current) };
}

/** `{}` and three empty lists clear the optional claims. */
function optionalClaims(value: Record<string, unknown>): unknown {
  const lists = ['accessToken', 'idToken', 'saml2Token'] as const;
  if (lists.every((name) => !Array.isArray(value[name]) || (value[name] as unknown[]).length === 0)) return null;
  return Object.fromEntries(lists.map((name) => [name, value[name] ?? []]));
}

function checkRedirectUris(platform: string, value: unknown): void {
  const uris = isObject(value) && Array.isArray(value['redirectUris']) ? (value['redirectUris'] as unknown[]) : [];
  if (uris.length > maximumRedirectUris)
    throw badRequest(
      `Invalid value specified for property '${platform}/redirectUris': at most ${maximumRedirectUris} are allowed.`,
      platform,
    );
  for (const uri of uris)
    if (typeof uri !== 'string' || uri.length > 256 || !/^[a-z][a-z0-9+.-]*:\S+$/i.test(uri))
      throw badRequest(
        `Invalid value specified for property '${platform}/redirectUris': '${String(uri).slice(0, 60)}' is not a URI.`,
        platform,
      );
}
