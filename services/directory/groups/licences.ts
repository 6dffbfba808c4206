import { sql } from 'kysely';
import { badRequest } from '../http/errors.js';
import { ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { permit, requireRole } from '../authorization/access.js';
import type { Directory } from '../kernel/directory.js';
import { isGuid } from '../../../core/values/guid.js';
import { createdBody } from '../kernel/single.js';
import { navigationRoutes } from '../membership/navigation.js';
import { targetsOf } from '../membership/sources.js';
import type { Body } from '../store/objects.js';
import { requireUser } from '../users/find-user.js';
import { findGroup, readGroup } from './find-group.js';
import { groupType } from './group-type.js';
import { followMembers, hasErrorFrom, type Licence, licencesOf, markErrors, passOn, passOnToAll } from './inherited-licences.js';
import { kindOf } from './kinds.js';

const licenceRoles = [
  'globalAdministrator',
  'licenseAdministrator',
  'groupsAdministrator',
  'userAdministrator',
  'directoryWriters',
] as const;
const assign = permit(['LicenseAssignment.ReadWrite.All', 'Group.ReadWrite.All', 'Directory.ReadWrite.All']);

/** Group-based licensing: what is assigned to a group passes to its members, and leaves with them. */
export function licenceRoutes(router: Router, directory: Directory): void {
  router.on('POST', '/groups/{id}/assignLicense', assign, assignLicense);
  navigationRoutes(router, {
    path: '/groups/{id}/membersWithLicenseErrors',
    access: readGroup,
    find: findGroup,
    source: (group, type) => {
      const members = targetsOf(group.number, 'members', type);
      return { ...members, where: sql`${members.where ?? sql`1 = 1`} and ${hasErrorFrom(directory, group.id)}` };
    },
  });
  router.on('POST', '/users/{id}/reprocessLicenseAssignment', assign, reprocess);
  followMembers(directory);
}

/** Tries again what has failed for a user. */
async function reprocess(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const user = await directory.sql.write(async () => {
    requireRole(request.caller, licenceRoles);
    const found = await requireUser(request);
    await passOn(directory, found, 'retry');
    for (const group of await directory.links.sources(found, 'members')) await markErrors(directory, group.id);
    return (await directory.objects.get(found.id)) ?? found;
  });
  return ok(createdBody(request, user, directory.types.get('user')));
}

async function assignLicense(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { added, removed } = readBody(request.json());
  const changed = await directory.sql.write(async () => {
    const group = await findGroup(request);
    requireRole(request.caller, licenceRoles);
    if (kindOf(group.body) === undefined || group.body['securityEnabled'] !== true)
      throw badRequest('Licences are assigned to security groups and to unified groups with securityEnabled true.', 'securityEnabled');
    const present = licencesOf(group.body);
    for (const id of removed)
      if (!present.some((licence) => licence.skuId === id))
        throw badRequest(`The licence ${id} is not assigned to this group.`, 'removeLicenses');
    const kept = present.filter(({ skuId }) => !removed.includes(skuId) && !added.some((licence) => licence.skuId === skuId));
    const saved = await directory.objects.save(group, {
      ...group.body,
      assignedLicenses: [...kept, ...added],
      licensesChangedAt: directory.clock.now().toISOString(),
    });
    await passOnToAll(directory, saved);
    return saved;
  });
  return {
    status: 202,
    body: { ...createdBody(request, changed, groupType), assignedLicenses: changed.body['assignedLicenses'] },
    headers: { location: `${request.base}/groups/${changed.id}` },
  };
}

function readBody(body: Body): { added: Licence[]; removed: string[] } {
  const { addLicenses, removeLicenses } = body;
  if (!Array.isArray(addLicenses)) throw badRequest('addLicenses must be a list; it may be empty.', 'addLicenses');
  if (!Array.isArray(removeLicenses)) throw badRequest('removeLicenses must be a list; it may be empty.', 'removeLicenses');
  const added = (addLicenses as { skuId?: unknown; disabledPlans?: unknown }[]).map((licence) => ({
    skuId: guid(licence.skuId, 'addLicenses'),
    disabledPlans: Array.isArray(licence.disabledPlans) ? licence.disabledPlans.map((plan) => guid(plan, 'addLicenses')) : [],
  }));
  const removed = removeLicenses.map((id) => guid(id, 'removeLicenses'));
  const ids = [...added.map((licence) => licence.skuId), ...removed];
  if (new Set(ids).size !== ids.length) throw badRequest('Request contains a property with duplicate values.', 'addLicenses');
  return { added, removed };
}

function guid(value: unknown, target: string): string {
  if (isGuid(value)) return value.toLowerCase();
  throw badRequest(`'${String(value)}' is not the id of a licence.`, target);
}
