import { ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Body, StoredObject } from '../store/objects.js';
import { areaContext, findUnified, listArea, readArea } from './area.js';

/** The site of a unified group: its default one, at `/sites/root`. */
export function siteRoutes(router: Router): void {
  router.on('GET', '/groups/{id}/sites/root', readArea, async (request) => {
    const group = await findUnified(request);
    return ok({ '@odata.context': `${request.base}/$metadata#sites/$entity`, ...siteOf(request, group) });
  });
  router.on('GET', '/groups/{id}/sites', readArea, async (request) => {
    const group = await findUnified(request);
    return listArea(request, areaContext(request, group, 'sites'), [siteOf(request, group)]);
  });
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
