import { isObject } from '../../../core/values/is-object.js';
import { permit } from '../authorization/access.js';
import { badRequest, noContent, objectNotFound, ok } from '../http/answers.js';
import type { Router } from '../http/router.js';
import { plainProperties } from '../kernel/references.js';
import { requireKnownProperties } from '../kernel/body-properties.js';
import type { Body } from '../store/objects.js';

const collection = 'ownerless-group-policy';
const path = '/policies/ownerlessGroupPolicy';
const readAccess = permit(['Policy.Read.All', 'Directory.Read.All', 'Directory.ReadWrite.All']);
const writeAccess = permit(['Directory.ReadWrite.All'], {
  roles: ['globalAdministrator', 'groupsAdministrator'],
});
const notifiedMembers = ['all', 'allowSelected', 'blockSelected'];
const limits = { members: { minimum: 1, maximum: 90 }, weeks: { minimum: 1, maximum: 7 } } as const;

/**
 * Adds the operations of the tenant's policy for groups without an owner (Directory rules, "What
 * the service does", 7): whether active members are asked to become owner, for how long, how many,
 * and which. The policy is only stored, since no mail is sent.
 */
export function addOwnerlessGroupPolicyRoutes(router: Router): void {
  router.on('GET', path, readAccess, async (request) => {
    const policy = await request.directory.records.get(collection, '', 'policy');
    if (!policy) throw objectNotFound('ownerlessGroupPolicy');
    return ok(request.withContext('policies/ownerlessGroupPolicy/$entity', policy.body));
  });
  router.on('PATCH', path, writeAccess, (request) => {
    const changes = checkPolicy(plainProperties(request.json()));
    const { records } = request.directory;
    return request.runInTransaction(async () => {
      const current = await records.get(collection, '', 'policy');
      await records.put(collection, '', 'policy', { ...defaults, ...current?.body, ...changes });
    });
  });
  router.on('DELETE', path, writeAccess, async (request) => {
    if (!(await request.directory.records.remove(collection, '', 'policy')))
      throw objectNotFound('ownerlessGroupPolicy');
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

function checkPolicy(values: Body): Body {
  requireKnownProperties(values, Object.keys(defaults), 'an ownerless group policy');
  if ('isEnabled' in values && typeof values['isEnabled'] !== 'boolean')
    throw badRequest('isEnabled must be true or false.', 'isEnabled');
  checkRange(values, 'maxMembersToNotify', limits.members);
  checkRange(values, 'notificationDurationInWeeks', limits.weeks);
  const targets = values['targetOwners'];
  if (
    targets !== undefined &&
    !(isObject(targets) && notifiedMembers.includes(String(targets['notifyMembers'])))
  )
    throw badRequest(
      `targetOwners needs notifyMembers: ${notifiedMembers.join(', ')}.`,
      'targetOwners',
    );
  return values;
}

function checkRange(
  input: Body,
  name: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): void {
  const value = input[name];
  if (
    value === undefined ||
    (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum)
  )
    return;
  throw badRequest(`${name} must be an integer from ${minimum} to ${maximum}.`, name);
}
