import { randomUUID } from 'node:crypto';
import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';
import { mistakeIn, canonicalValue } from '../../../kinds/schema/find-mistake.js';
import { permit } from '../authorization/access.js';
import { groupWriterRoles } from '../authorization/directory-roles.js';
import { findGroup } from '../groups/group-access.js';
import { isUnified } from '../groups/group-kinds.js';
import { badRequest, invalidProperty, objectNotFound, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import {
  addRecordOperations,
  recordListReply,
  presentRecord,
} from '../kernel/record-operations.js';
import { requireObject } from '../kernel/single-object.js';
import { requireKnownProperties } from '../kernel/body-properties.js';
import { textRules } from '../odata/property-rules.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import {
  applyExpiry,
  applyExpiryToAllGroups,
  policyApplies,
  lifecyclePolicy,
  policyCollection,
  selectedGroupsCollection,
} from './expiry.js';

const policyReadAccess = permit([
  'Directory.Read.All',
  'Directory.ReadWrite.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
]);
const policyWriteAccess = permit(['Directory.ReadWrite.All'], { roles: groupWriterRoles });
const queryRules = textRules('GroupLifecyclePolicy');
/** The default policy, in the order of an answer. */
const defaults: Body = {
  groupLifetimeInDays: null,
  managedGroupTypes: null,
  alternateNotificationEmails: null,
};
const maxSelectedGroups = groupLifecyclePolicy.limits.selectedGroups;

/** Adds the operations of lifecycle policies for unified groups; a tenant has at most one. */
export function addLifecyclePolicyRoutes(router: Router): void {
  addRecordOperations(router, {
    path: '/groupLifecyclePolicies',
    collection: policyCollection,
    read: policyReadAccess,
    write: policyWriteAccess,
    create: async ({ directory }, values) => {
      const body = parsePolicyValues(values, directory);
      for (const name of ['groupLifetimeInDays', 'managedGroupTypes'])
        if (body[name] === undefined)
          throw badRequest(`Required property '${name}' is missing.`, name);
      if (await lifecyclePolicy(directory))
        throw badRequest('There is a group lifecycle policy already; a tenant has at most one.');
      return savePolicy(directory, randomUUID(), { ...defaults, ...body });
    },
    change: ({ directory }, { id, body }, values) =>
      savePolicy(directory, id, { ...body, ...parsePolicyValues(values, directory) }),
    onRemove: async ({ directory }, policy) => {
      await directory.records.removeAll(policy.id);
      await applyExpiryToAllGroups(directory);
    },
  });
  router.on('POST', '/groupLifecyclePolicies/{policy}/addGroup', policyWriteAccess, (request) =>
    changeSelectedGroups(request, 'add'),
  );
  router.on('POST', '/groupLifecyclePolicies/{policy}/removeGroup', policyWriteAccess, (request) =>
    changeSelectedGroups(request, 'remove'),
  );
  router.on('GET', '/groups/{id}/groupLifecyclePolicies', policyReadAccess, async (request) => {
    const group = await findGroup(request);
    const policy = await lifecyclePolicy(request.directory);
    const isCovered =
      policy !== undefined && (await policyApplies(request.directory, policy, group));
    return recordListReply(
      request,
      'groupLifecyclePolicies',
      isCovered ? [presentRecord(policy)] : [],
      queryRules,
    );
  });
}

async function savePolicy(directory: Directory, id: string, body: Body): Promise<StoredRecord> {
  const policy = await directory.records.put(policyCollection, '', id, body);
  await applyExpiryToAllGroups(directory);
  return policy;
}

/**
 * Adds a group to a policy for selected groups, or removes it. Answers whether the policy changed.
 */
async function changeSelectedGroups(
  request: DirectoryRequest,
  action: 'add' | 'remove',
): Promise<Reply> {
  const { directory } = request;
  const { groupId } = request.json();
  if (typeof groupId !== 'string') throw badRequest('groupId is needed.', 'groupId');
  const value = await directory.sql.transaction(async () => {
    const policy = await requirePolicy(request);
    const group = await requireObject(directory, groupId, 'group');
    if (!isUnified(group.body)) throw badRequest('Only unified groups expire.', 'groupId');
    if (policy.body['managedGroupTypes'] !== 'Selected')
      throw badRequest(
        "Groups are added and removed only while managedGroupTypes is 'Selected'.",
        'managedGroupTypes',
      );
    const changed =
      action === 'add'
        ? await addSelectedGroup(request, policy, group.id)
        : await directory.records.remove(selectedGroupsCollection, policy.id, group.id);
    await applyExpiry(directory, group, policy);
    return changed;
  });
  return ok(request.withContext('Edm.Boolean', { value }));
}

async function addSelectedGroup(
  request: DirectoryRequest,
  policy: StoredRecord,
  id: string,
): Promise<boolean> {
  const { records } = request.directory;
  if (await records.get(selectedGroupsCollection, policy.id, id)) return false;
  if ((await records.list(selectedGroupsCollection, policy.id)).length >= maxSelectedGroups)
    throw badRequest(`A lifecycle policy covers at most ${maxSelectedGroups} selected groups.`);
  await records.put(selectedGroupsCollection, policy.id, id, {});
  return true;
}

async function requirePolicy(request: DirectoryRequest): Promise<StoredRecord> {
  const id = request.parameter('policy');
  const policy = await request.directory.records.get(policyCollection, '', id.toLowerCase());
  if (!policy) throw objectNotFound(id);
  return policy;
}

function parsePolicyValues(body: Body, { dialect }: Directory): Body {
  const anyCase = dialect === 'azure';
  requireKnownProperties(body, Object.keys(defaults), 'a group lifecycle policy');
  const {
    groupLifetimeInDays: days,
    managedGroupTypes: types,
    alternateNotificationEmails: emails,
  } = body;
  if (emails !== undefined && emails !== null && typeof emails !== 'string')
    throw badRequest(
      'alternateNotificationEmails must be e-mail addresses separated by semicolons.',
      'alternateNotificationEmails',
    );
  const { properties } = groupLifecyclePolicy;
  const values = {
    groupLifetimeInDays: days,
    managedGroupTypes: types,
    alternateNotificationEmails: emails ? splitAddresses(emails) : undefined,
  };
  for (const [property, value] of Object.entries(values)) {
    const mistake =
      value === undefined
        ? undefined
        : mistakeIn(properties[property as keyof typeof properties], value, { anyCase });
    if (mistake) throw invalidProperty(property, mistake.message);
  }
  return typeof types === 'string'
    ? { ...body, managedGroupTypes: canonicalValue(properties.managedGroupTypes, types) }
    : body;
}

/** Mail addresses in one text, separated by semicolons. */
function splitAddresses(emails: string): readonly string[] {
  return emails
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
