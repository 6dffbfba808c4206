import { randomUUID } from 'node:crypto';
import { DirectoryError, badRequest, objectNotFound } from '../http/errors.js';
import { created, ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { findGroup, callerObject, requireVisible } from '../groups/find-group.js';
import { idOfReference, ownProperties } from '../kernel/references.js';
import type { Body } from '../store/objects.js';
import { areaContext, findUnified, listArea, readArea, writeArea } from './area.js';

const notebooks = 'notebook';
const plans = 'planner-plan';
const longestName = 128;

/** Notebooks and planner plans of a unified group, and its permission grants. */
export function notesAndPlanRoutes(router: Router): void {
  router.on('GET', '/groups/{id}/onenote', readArea, async (request) => {
    const group = await findUnified(request);
    return ok({ '@odata.context': `${areaContext(request, group, 'onenote')}/$entity`, id: group.id });
  });
  router.on('GET', '/groups/{id}/onenote/notebooks', readArea, async (request) => {
    const group = await findUnified(request);
    const items = await request.directory.items.list(notebooks, group.id);
    return listArea(
      request,
      areaContext(request, group, 'onenote/notebooks'),
      items.map((item) => ({ id: item.id, ...item.body })),
    );
  });
  router.on('POST', '/groups/{id}/onenote/notebooks', writeArea, createNotebook);
  router.on('GET', '/groups/{id}/planner', readArea, async (request) => {
    const group = await findUnified(request);
    return ok({ '@odata.context': `${areaContext(request, group, 'planner')}/$entity`, id: group.id });
  });
  router.on('GET', '/groups/{id}/planner/plans', readArea, async (request) => {
    const group = await findUnified(request);
    const items = await request.directory.items.list(plans, group.id);
    return listArea(
      request,
      areaContext(request, group, 'planner/plans'),
      items.map((item) => ({ id: item.id, ...item.body })),
    );
  });
  router.on('POST', '/planner/plans', writeArea, createPlan);
  router.on('POST', '/groups/{id}/checkGrantedPermissionsForApp', readArea, async (request) => {
    const group = await findGroup(request);
    requireVisible(request, group);
    return ok({ '@odata.context': areaContext(request, group, 'permissionGrants'), value: [] });
  });
  router.on('GET', '/groups/{id}/permissionGrants', readArea, async (request) => {
    const group = await findUnified(request);
    const grants = await request.directory.items.list('permission-grant', group.id);
    return ok({
      '@odata.context': areaContext(request, group, 'permissionGrants'),
      value: grants.map((item) => ({ id: item.id, deletedDateTime: null, ...item.body })),
    });
  });
}

async function createNotebook(request: DirectoryRequest): Promise<Reply> {
  const { displayName } = ownProperties(request.json());
  if (typeof displayName !== 'string' || displayName === '' || displayName.length > longestName || /[?*\\/:<>|'"]/.test(displayName))
    throw badRequest(`displayName needs 1 to ${longestName} characters without ? * \\ / : < > | ' ".`, 'displayName');
  const group = await findUnified(request);
  const { items, sql, clock } = request.directory;
  const id = `1-${randomUUID()}`;
  const now = clock.now().toISOString();
  const address = `${request.base}/groups/${group.id}/onenote/notebooks/${id}`;
  const notebook = {
    displayName,
    createdDateTime: now,
    lastModifiedDateTime: now,
    createdBy: await by(request),
    lastModifiedBy: await by(request),
    isDefault: false,
    isShared: true,
    userRole: 'Owner',
    sectionsUrl: `${address}/sections`,
    sectionGroupsUrl: `${address}/sectionGroups`,
    links: { oneNoteClientUrl: { href: `onenote:${address}` }, oneNoteWebUrl: { href: address } },
  };
  await sql.write(async () => {
    const others = await items.list(notebooks, group.id);
    if (others.some((each) => String(each.body['displayName']).toLowerCase() === displayName.toLowerCase()))
      throw new DirectoryError(409, '20117', `A notebook named '${displayName}' exists already.`);
    await items.put(notebooks, group.id, id, notebook, displayName.toLowerCase());
  });
  return created({ '@odata.context': `${areaContext(request, group, 'onenote/notebooks')}/$entity`, id, ...notebook }, address);
}

async function createPlan(request: DirectoryRequest): Promise<Reply> {
  const { title, container, owner } = ownProperties(request.json());
  if (typeof title !== 'string' || title === '') throw badRequest('A plan needs a title.', 'title');
  const { url, containerId } = (container ?? {}) as { url?: unknown; containerId?: unknown };
  const id = owner ?? containerId ?? (typeof url === 'string' ? idOfReference(url) : undefined);
  if (typeof id !== 'string') throw badRequest('A plan needs a container: the group it belongs to.', 'container');
  const group = await request.directory.objects.getOfType('group', id);
  if (!group) throw objectNotFound(id);
  const plan = {
    title,
    owner: group.id,
    container: { containerId: group.id, type: 'group', url: `${request.base}/groups/${group.id}` },
    createdBy: await by(request),
    createdDateTime: request.directory.clock.now().toISOString(),
  };
  const planId = randomUUID().replaceAll('-', '').slice(0, 28);
  await request.directory.items.put(plans, group.id, planId, plan, plan.createdDateTime);
  return created({ '@odata.context': `${request.base}/$metadata#planner/plans/$entity`, id: planId, ...plan });
}

async function by(request: DirectoryRequest): Promise<Body> {
  const self = await callerObject(request);
  const identity = { id: request.caller.objectId || null, displayName: self?.body['displayName'] ?? request.caller.name ?? null };
  return request.caller.kind === 'application' ? { application: identity } : { user: identity };
}
