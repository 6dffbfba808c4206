import { ok } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Body, StoredObject } from '../store/objects.js';
import { addResourceListRoutes, findUnifiedGroup, resourceReadAccess } from './group-resources.js';

/** Adds the routes that read a unified group's site, at `/sites/root`. */
export function addSiteRoutes(router: Router): void {
  router.on('GET', '/groups/{id}/sites/root', resourceReadAccess, async (request) => {
    const group = await findUnifiedGroup(request);
    return ok(request.withContext('sites/$entity', siteOf(request, group)));
  });
  addResourceListRoutes(router, ['/groups/{id}/sites'], 'sites', (request, group) => [
    siteOf(request, group),
  ]);
}

function siteOf(request: DirectoryRequest, group: StoredObject): Body {
  const host = request.directory.tenant.defaultDomain;
  return {
    id: `${host},${group.id},${group.id}`,
    createdDateTime: group.body['createdDateTime'],
    name: group.body['mailNickname'],
    displayName: group.body['displayName'],
    description: group.body['description'] ?? '',
    webUrl: `https://${host}/sites/${String(group.body['mailNickname'])}`,
    root: {},
    siteCollection: { hostname: host },
  };
}
