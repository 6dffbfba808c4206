import { type Access, requirePermission } from '../authorization/access.js';
import { findGroup, requireRoleOrOwnership, requireVisible } from '../groups/group-access.js';
import { isUnified } from '../groups/group-kinds.js';
import { badRequest, created, DirectoryError, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { requireUser } from '../users/user-type.js';
import { canSeeMembers } from '../membership/hidden-memberships.js';
import type { Body, StoredObject } from '../store/objects.js';
import { resourceListReply, resourceReadAccess, resourceWriteAccess } from './group-resources.js';

const teamReadPermissions = [
  'Team.ReadBasic.All',
  'TeamSettings.Read.All',
  'User.Read.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];
const teamListAccess: Access = {
  delegated: [...teamReadPermissions, 'User.Read'],
  application: teamReadPermissions,
};

/**
 * Adds the operations of a unified group's team. A group with `Team` among its provisioning options
 * has one. It is also served at the singular address `/group/{id}/team`.
 */
export function addTeamRoutes(router: Router): void {
  for (const path of ['/groups/{id}/team', '/group/{id}/team', '/teams/{id}'])
    router.on('GET', path, resourceReadAccess, getTeam);
  router.on('PUT', '/groups/{id}/team', resourceWriteAccess, putTeam);
  for (const path of ['/teams/{id}', '/groups/{id}/team']) {
    router.on('POST', `${path}/archive`, resourceWriteAccess, (request) =>
      setArchived(request, true),
    );
    router.on('POST', `${path}/unarchive`, resourceWriteAccess, (request) =>
      setArchived(request, false),
    );
  }
  for (const path of ['/teams/{id}', '/groups/{id}/team', '/group/{id}/team']) {
    router.on('GET', `${path}/channels`, resourceReadAccess, async (request) => {
      const team = await findTeam(request);
      return resourceListReply(request, `teams('${team.id}')/channels`, [channelOf(request, team)]);
    });
    for (const channelPath of ['channels/{channel}', 'primaryChannel'])
      router.on('GET', `${path}/${channelPath}`, resourceReadAccess, async (request) => {
        const team = await findTeam(request);
        const channel = channelOf(request, team);
        if (![channel['id'], ''].includes(request.key('channel')))
          throw new DirectoryError(404, 'NotFound', 'The channel was not found.');
        return ok(
          request.withContext(`teams('${team.id}')/${channelPath.split('/')[0]}/$entity`, channel),
        );
      });
  }
  router.on('GET', '/users/{id}/joinedTeams', teamListAccess, listTeams);
  router.on('GET', '/users/{id}/teamwork/associatedTeams', teamListAccess, listTeams);
}

function hasTeam(group: StoredObject): boolean {
  const options = group.body['resourceProvisioningOptions'];
  return Array.isArray(options) && options.includes('Team');
}

async function findTeam(request: DirectoryRequest): Promise<StoredObject> {
  const group = await findGroup(request);
  requireVisible(request, group);
  if (hasTeam(group)) return group;
  throw new DirectoryError(404, 'NotFound', `No team found with Group Id ${group.id}.`);
}

async function getTeam(request: DirectoryRequest): Promise<Reply> {
  return ok(request.withContext('teams/$entity', teamOf(request, await findTeam(request))));
}

async function putTeam(request: DirectoryRequest): Promise<Reply> {
  request.optionalJson();
  const group = await request.directory.sql.transaction(async () => {
    const candidate = await findGroup(request);
    await requireRoleOrOwnership(request, candidate);
    if (!isUnified(candidate.body)) throw badRequest('Only unified groups can have a team.');
    if (hasTeam(candidate))
      throw new DirectoryError(409, 'Conflict', 'The group has a team already.');
    return request.directory.objects.save(candidate, {
      ...candidate.body,
      resourceProvisioningOptions: ['Team'],
      isArchived: false,
    });
  });
  return created(
    request.withContext('teams/$entity', teamOf(request, group)),
    `${request.base}/teams/${group.id}`,
  );
}

/**
 * Archives a team, which makes it read-only, or unarchives it. Answers 202, although the change is
 * immediate.
 */
async function setArchived(request: DirectoryRequest, isArchived: boolean): Promise<Reply> {
  const { id } = await request.directory.sql.transaction(async () => {
    const group = await findTeam(request);
    await requireRoleOrOwnership(request, group);
    return request.directory.objects.save(group, { ...group.body, isArchived }, { silent: true });
  });
  return { status: 202, headers: { location: `${request.base}/teams/${id}` } };
}

async function listTeams(request: DirectoryRequest): Promise<Reply> {
  const user = await requireUser(request);
  const { caller, directory } = request;
  const isSelf = caller.kind === 'user' && user.id === caller.objectId.toLowerCase();
  if (!isSelf) requirePermission(caller, ...teamReadPermissions);
  const groups: StoredObject[] = [];
  for (const group of await directory.links.sources(user, 'members'))
    if (isSelf || (await canSeeMembers(request, group))) groups.push(group);
  return ok(
    request.withContext('teams', {
      value: groups.filter(hasTeam).map((group) => teamOf(request, group)),
    }),
  );
}

/** The channel that every new team has. */
function channelOf(request: DirectoryRequest, group: StoredObject): Body {
  const id = `19:${group.id.replaceAll('-', '')}@thread.tacv2`;
  return {
    id,
    createdDateTime: group.body['createdDateTime'],
    displayName: 'General',
    description: group.body['description'] ?? group.body['displayName'],
    isFavoriteByDefault: null,
    email: group.body['mail'] ?? null,
    tenantId: request.tenantId,
    webUrl: `${request.base}/teams/${group.id}/channels/${id}`,
    membershipType: 'standard',
    isArchived: group.body['isArchived'] ?? false,
  };
}

function teamOf(request: DirectoryRequest, group: StoredObject): Body {
  return {
    id: group.id,
    createdDateTime: group.body['createdDateTime'],
    displayName: group.body['displayName'],
    description: group.body['description'] ?? null,
    internalId: `19:${group.id.replaceAll('-', '')}@thread.tacv2`,
    classification: group.body['classification'] ?? null,
    specialization: 'none',
    visibility: String(group.body['visibility'] ?? 'Private').toLowerCase(),
    webUrl: `${request.base}/teams/${group.id}`,
    isArchived: group.body['isArchived'] ?? false,
    tenantId: request.tenantId,
  };
}
