import { randomUUID } from 'node:crypto';
import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';
import { mistakeIn, wordOf } from '../../../kinds/schema/judge.js';
import { permit } from '../authorization/access.js';
import { groupWriters } from '../authorization/directory-roles.js';
import { findGroup } from '../groups/find-group.js';
import { isUnified } from '../groups/kinds.js';
import { badRequest, objectNotFound } from '../http/errors.js';
import { created, noContent, ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { ownProperties } from '../kernel/references.js';
import type { Item } from '../store/items.js';
import type { Body } from '../store/objects.js';
import { applyExpiry, applyExpiryToAll, covers, lifecyclePolicy, policyCollection, selectedCollection } from './expiry.js';

const readPolicies = permit(['Directory.Read.All', 'Directory.ReadWrite.All', 'Group.Read.All', 'Group.ReadWrite.All']);
const writePolicies = permit(['Directory.ReadWrite.All'], { roles: groupWriters });
const mostSelected = groupLifecyclePolicy.limits.selectedGroups;

/** The tenant's policy for expiring unified groups: at most one. */
export function policyRoutes(router: Router): void {
  router.on('GET', '/groupLifecyclePolicies', readPolicies, list);
  router.on('POST', '/groupLifecyclePolicies', writePolicies, create);
  router.on('GET', '/groupLifecyclePolicies/{policy}', readPolicies, get);
  router.on('PATCH', '/groupLifecyclePolicies/{policy}', writePolicies, update);
  router.on('DELETE', '/groupLifecyclePolicies/{policy}', writePolicies, remove);
  router.on('POST', '/groupLifecyclePolicies/{policy}/addGroup', writePolicies, (request) => select(request, true));
  router.on('POST', '/groupLifecyclePolicies/{policy}/removeGroup', writePolicies, (request) => select(request, false));
  router.on('GET', '/groups/{id}/groupLifecyclePolicies', readPolicies, listOfGroup);
}

const context = '$metadata#groupLifecyclePolicies';

async function list(request: DirectoryRequest): Promise<Reply> {
  const policy = await lifecyclePolicy(request.directory);
  return ok({ '@odata.context': `${request.base}/${context}`, value: policy ? [shown(policy)] : [] });
}

async function listOfGroup(request: DirectoryRequest): Promise<Reply> {
  const group = await findGroup(request);
  const policy = await lifecyclePolicy(request.directory);
  const covered = policy !== undefined && (await covers(request.directory, policy, group));
  return ok({ '@odata.context': `${request.base}/${context}`, value: covered ? [shown(policy)] : [] });
}

async function get(request: DirectoryRequest): Promise<Reply> {
  return ok({ '@odata.context': `${request.base}/${context}/$entity`, ...shown(await find(request)) });
}

async function create(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const body = checked(ownProperties(request.json()), directory);
  for (const name of ['groupLifetimeInDays', 'managedGroupTypes'])
    if (body[name] === undefined) throw badRequest(`Required property '${name}' is missing.`, name);
  const policy = await directory.sql.write(async () => {
    if (await lifecyclePolicy(directory)) throw badRequest('There is a group lifecycle policy already; a tenant has at most one.');
    const stored = await directory.items.put(policyCollection, '', randomUUID(), { alternateNotificationEmails: null, ...body });
    await applyExpiryToAll(directory);
    return stored;
  });
  return created(
    { '@odata.context': `${request.base}/${context}/$entity`, ...shown(policy) },
    `${request.base}/groupLifecyclePolicies/${policy.id}`,
  );
}

async function update(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const body = checked(ownProperties(request.json()), directory);
  const policy = await directory.sql.write(async () => {
    const present = await find(request);
    const stored = await directory.items.put(policyCollection, '', present.id, { ...present.body, ...body });
    await applyExpiryToAll(directory);
    return stored;
  });
  return ok({ '@odata.context': `${request.base}/${context}/$entity`, ...shown(policy) });
}

async function remove(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  await directory.sql.write(async () => {
    const policy = await find(request);
    await directory.items.remove(policyCollection, '', policy.id);
    await directory.items.removeAll(policy.id);
    await applyExpiryToAll(directory);
  });
  return noContent;
}

/** Adds a group to a policy for selected groups, or takes it out. The answer says whether that changed anything. */
async function select(request: DirectoryRequest, adding: boolean): Promise<Reply> {
  const { directory } = request;
  const { groupId } = request.json();
  if (typeof groupId !== 'string') throw badRequest('groupId is needed.', 'groupId');
  const value = await directory.sql.write(async () => {
    const policy = await find(request);
    const group = await directory.objects.getOfType('group', groupId);
    if (!group) throw objectNotFound(groupId);
    if (!isUnified(group.body)) throw badRequest('Only unified groups expire.', 'groupId');
    if (policy.body['managedGroupTypes'] !== 'Selected')
      throw badRequest("Groups are added and removed only while managedGroupTypes is 'Selected'.", 'managedGroupTypes');
    const changed = adding
      ? await addSelected(request, policy, group.id)
      : await directory.items.remove(selectedCollection, policy.id, group.id);
    await applyExpiry(directory, group, policy);
    return changed;
  });
  return ok({ '@odata.context': `${request.base}/$metadata#Edm.Boolean`, value });
}

async function addSelected(request: DirectoryRequest, policy: Item, id: string): Promise<boolean> {
  const { items } = request.directory;
  if (await items.get(selectedCollection, policy.id, id)) return false;
  if ((await items.list(selectedCollection, policy.id)).length >= mostSelected)
    throw badRequest(`A lifecycle policy covers at most ${mostSelected} selected groups.`);
  await items.put(selectedCollection, policy.id, id, {});
  return true;
}

async function find(request: DirectoryRequest): Promise<Item> {
  const id = request.parameter('policy');
  const policy = await request.directory.items.get(policyCollection, '', id.toLowerCase());
  if (!policy) throw objectNotFound(id);
  return policy;
}

function shown(policy: Item): Body {
  const { groupLifetimeInDays, managedGroupTypes, alternateNotificationEmails } = policy.body;
  return { id: policy.id, groupLifetimeInDays, managedGroupTypes, alternateNotificationEmails };
}

function checked(body: Body, { dialect }: Directory): Body {
  const anyCase = dialect === 'azure';
  const { groupLifetimeInDays: days, managedGroupTypes: types, alternateNotificationEmails: emails, ...unknown } = body;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw badRequest(`The property '${name}' does not exist on a group lifecycle policy or is read-only.`, name);
  if (emails !== undefined && emails !== null && typeof emails !== 'string')
    throw badRequest('alternateNotificationEmails must be e-mail addresses separated by semicolons.', 'alternateNotificationEmails');
  const { properties } = groupLifecyclePolicy;
  const values = {
    groupLifetimeInDays: days,
    managedGroupTypes: types,
    alternateNotificationEmails: emails ? addressesIn(emails) : undefined,
  };
  for (const [property, value] of Object.entries(values)) {
    const mistake = value === undefined ? undefined : mistakeIn(properties[property as keyof typeof properties], value, { anyCase });
    if (mistake) throw badRequest(`Invalid value specified for property '${property}': ${mistake.words}.`, property);
  }
  return typeof types === 'string' ? { ...body, managedGroupTypes: wordOf(properties.managedGroupTypes, types) } : body;
}

/** Addresses as the API writes them: in one text, with semicolons between them. */
function addressesIn(emails: string): readonly string[] {
  return emails
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
