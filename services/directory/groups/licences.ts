import { badRequest } from '../http/errors.js';
import type { Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { permit } from '../authorization/access.js';
import type { Directory } from '../kernel/directory.js';
import { idPattern } from '../kernel/references.js';
import { createdBody } from '../kernel/single.js';
import { navigationRoutes } from '../membership/navigation.js';
import { targetsOf } from '../membership/sources.js';
import type { Body, StoredObject } from '../store/objects.js';
import { sql } from 'kysely';
import { findGroup } from './find-group.js';
import { readGroup, requireRole } from './group-access.js';
import { groupType } from './group-type.js';
import { kindOf } from './kinds.js';
import { wholeSeconds } from '../kernel/instant.js';

/** A licence as groups and users have it. */
interface Licence {
  readonly skuId: string;
  readonly disabledPlans: readonly string[];
}

const assign = permit(['LicenseAssignment.ReadWrite.All', 'Group.ReadWrite.All', 'Directory.ReadWrite.All']);

/** Group-based licensing: what is assigned to a group passes to its members, and leaves with them. */
export function licenceRoutes(router: Router, directory: Directory): void {
  router.on('POST', '/groups/{id}/assignLicense', assign, assignLicense);
  navigationRoutes(router, {
    path: '/groups/{id}/membersWithLicenseErrors',
    access: readGroup,
    find: findGroup,
    // Every licence that is assigned here is granted: there are no errors to show.
    source: (group) => ({ ...targetsOf(group.number, 'members'), where: sql`1 = 0` }),
  });
  directory.links.listen(async ({ source, relation, target }) => {
    if (relation === 'members' && target.type === 'user' && licencesOf(source.body).length > 0) await passOn(directory, target);
  });
}

async function assignLicense(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { added, removed } = readBody(request.json());
  const changed = await directory.sql.write(async () => {
    const group = await findGroup(request);
    requireRole(request.caller, [
      'globalAdministrator',
      'licenseAdministrator',
      'groupsAdministrator',
      'userAdministrator',
      'directoryWriters',
    ]);
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
  if (typeof value === 'string' && idPattern.test(value)) return value.toLowerCase();
  throw badRequest(`'${String(value)}' is not the id of a licence.`, target);
}

function licencesOf(body: Body): readonly Licence[] {
  return (body['assignedLicenses'] ?? []) as readonly Licence[];
}

async function passOnToAll(directory: Directory, group: StoredObject): Promise<void> {
  const size = 1000;
  let after = 0;
  for (;;) {
    const page = await directory.links.targets(group, 'members', after, size);
    for (const member of page) if (member.type === 'user') await passOn(directory, member);
    if (page.length < size) return;
    after = page.at(-1)?.number ?? after;
  }
}

/** Works out a user's licences anew: those assigned to the user, and those of the groups. Call inside a write. */
async function passOn(directory: Directory, member: StoredObject): Promise<void> {
  const user = await directory.objects.getOfType('user', member.id);
  if (!user) return;
  const states = ((user.body['licenseAssignmentStates'] ?? []) as Body[]).filter((state) => (state['assignedByGroup'] ?? null) === null);
  const own = licencesOf(user.body).filter(
    ({ skuId }) => states.some((state) => state['skuId'] === skuId) || !wasInherited(user.body, skuId),
  );
  const licences = new Map(own.map((licence) => [licence.skuId, licence]));
  for (const group of await directory.links.sources(user, 'members'))
    for (const licence of licencesOf(group.body)) {
      states.push({
        ...licence,
        assignedByGroup: group.id,
        state: 'Active',
        error: 'None',
        lastUpdatedDateTime: wholeSeconds(directory.clock.now()),
      });
      if (!licences.has(licence.skuId)) licences.set(licence.skuId, licence);
    }
  await directory.objects.save(user, { ...user.body, assignedLicenses: [...licences.values()], licenseAssignmentStates: states });
}

function wasInherited(body: Body, skuId: string): boolean {
  return ((body['licenseAssignmentStates'] ?? []) as Body[]).some(
    (state) => state['skuId'] === skuId && (state['assignedByGroup'] ?? null) !== null,
  );
}
