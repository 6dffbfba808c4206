import type { Directory } from '../kernel/directory.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Body, StoredObject } from '../store/objects.js';

/** What a service principal has from its application. */
export function derivedProperties(application: Body): Record<string, unknown> {
  const api = part(application, 'api');
  const web = part(application, 'web');
  return {
    displayName: application['displayName'],
    appDisplayName: application['displayName'],
    appDescription: application['description'] ?? null,
    appRoles: application['appRoles'] ?? [],
    oauth2PermissionScopes: api['oauth2PermissionScopes'] ?? [],
    replyUrls: [...uris(web), ...uris(part(application, 'spa')), ...uris(part(application, 'publicClient'))],
    homepage: web['homePageUrl'] ?? null,
    logoutUrl: web['logoutUrl'] ?? null,
    signInAudience: application['signInAudience'] ?? null,
    servicePrincipalNames: [application['appId'], ...(Array.isArray(application['identifierUris']) ? application['identifierUris'] : [])],
    info: application['info'] ?? null,
    verifiedPublisher: application['verifiedPublisher'] ?? null,
  };
}

/** Brings the service principal of an application up to date. Runs in the transaction of the application's change. */
export async function followApplication(directory: Directory, application: StoredObject): Promise<void> {
  const appId = String(application.body['appId']);
  const derived = derivedProperties(application.body);
  for (const principal of await directory.objects.findBy('servicePrincipal', 'app_id', appId)) {
    const next = { ...principal.body, ...derived };
    if (JSON.stringify(next) !== JSON.stringify(principal.body)) await directory.objects.save(principal, next);
  }
}

function part(application: Body, name: string): Body {
  const value = application[name];
  return isObject(value) ? value : {};
}

function uris(platform: Body): readonly unknown[] {
  return Array.isArray(platform['redirectUris']) ? (platform['redirectUris'] as unknown[]) : [];
}
