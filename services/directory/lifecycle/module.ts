import { findGroup, requireRoleOrOwnership, writeGroup } from '../groups/find-group.js';
import { isUnified } from '../groups/kinds.js';
import { badRequest, objectNotFound } from '../http/errors.js';
import { noContent, ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { DirectoryModule } from '../directory-module.js';
import { applyExpiry, deleteExpired, lifecyclePolicy } from './expiry.js';
import { policyRoutes } from './policies.js';
import { wholeSeconds } from '../kernel/instant.js';
import { permit } from '../authorization/access.js';
import type { Router } from '../http/router.js';
import { ownProperties } from '../kernel/references.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Body } from '../store/objects.js';

/** Expiry and renewal of unified groups. */
export const lifecycle: DirectoryModule = {
  routes(router, directory) {
    policyRoutes(router);
    ownerlessPolicyRoutes(router);
    router.on('POST', '/groups/{id}/renew', writeGroup, renew);
    directory.objects.listen({
      async saved(group, before) {
        if (group.type === 'group' && before === undefined && isUnified(group.body))
          await applyExpiry(directory, group, await lifecyclePolicy(directory));
      },
    });
  },
  tick: deleteExpired,
};

/** Sets the renewal to now and recalculates the expiry. */
async function renew(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  await directory.sql.write(async () => {
    const group = await findGroup(request);
    await requireRoleOrOwnership(request, group);
    if (!isUnified(group.body)) throw badRequest('Only unified groups expire and are renewed.');
    const renewed = await directory.objects.save(group, { ...group.body, renewedDateTime: wholeSeconds(directory.clock.now()) });
    await applyExpiry(directory, renewed, await lifecyclePolicy(directory));
  });
  return directory.dialect === 'neutral' ? ok({ ...request.context('Edm.Boolean'), value: true }) : noContent;
}

const collection = 'ownerless-group-policy';
const path = '/policies/ownerlessGroupPolicy';
const read = permit(['Policy.Read.All', 'Directory.Read.All', 'Directory.ReadWrite.All']);
const write = permit(['Directory.ReadWrite.All'], { roles: ['globalAdministrator', 'groupsAdministrator'] });
const notified = ['all', 'allowSelected', 'blockSelected'];
const limits = { members: { least: 1, most: 90 }, weeks: { least: 1, most: 7 } } as const;

/**
 * The tenant's policy for groups without an owner (directory rules, "What the service does", 7): whether active members are asked to become
 * one, for how long, how many of them, and which (by security groups). Here it is kept; there is no mail system to ask by.
 */
function ownerlessPolicyRoutes(router: Router): void {
  router.on('GET', path, read, async (request) => {
    const policy = await request.directory.items.get(collection, '', 'policy');
    if (!policy) throw objectNotFound('ownerlessGroupPolicy');
    return ok({ ...request.context('policies/ownerlessGroupPolicy/$entity'), ...policy.body });
  });
  router.on('PATCH', path, write, async (request) => {
    const changes = checked(ownProperties(request.json()));
    const { items, sql } = request.directory;
    await sql.write(async () => {
      const present = await items.get(collection, '', 'policy');
      await items.put(collection, '', 'policy', { ...defaults, ...present?.body, ...changes });
    });
    return noContent;
  });
  router.on('DELETE', path, write, async (request) => {
    if (!(await request.directory.items.remove(collection, '', 'policy'))) throw objectNotFound('ownerlessGroupPolicy');
    return noContent;
  });
}

const defaults: Body = {
  isEnabled: false,
  maxMembersToNotify: 90,
  notificationDurationInWeeks: 4,
  policyWebUrl: null,
  targetOwners: { notifyMembers: 'all', securityGroups: [] },
  emailInfo: null,
  enabledGroupIds: [],
};

function checked(given: Body): Body {
  const unknown = Object.keys(given).find((name) => !(name in defaults));
  if (unknown !== undefined) throw badRequest(`The property '${unknown}' does not exist on an ownerless group policy.`, unknown);
  if ('isEnabled' in given && typeof given['isEnabled'] !== 'boolean') throw badRequest('isEnabled must be true or false.', 'isEnabled');
  within(given, 'maxMembersToNotify', limits.members);
  within(given, 'notificationDurationInWeeks', limits.weeks);
  const targets = given['targetOwners'];
  if (targets !== undefined && !(isObject(targets) && notified.includes(String(targets['notifyMembers']))))
    throw badRequest(`targetOwners needs notifyMembers: ${notified.join(', ')}.`, 'targetOwners');
  return given;
}

function within(given: Body, name: string, { least, most }: { readonly least: number; readonly most: number }): void {
  const value = given[name];
  if (value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most)) return;
  throw badRequest(`${name} must be an integer from ${least} to ${most}.`, name);
}
