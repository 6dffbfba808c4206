import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import {
  group as groupDescription,
  propertiesOutsideMainStore,
} from '../../../kinds/group/group.js';
import { defaultWriteback } from '../../../kinds/group/service-properties.js';
import { hasPermission, requireRole, requireGroupWriterRole } from '../authorization/access.js';
import { nameOfDefaultDomain } from '../domains/domains-module.js';
import {
  badRequest,
  created,
  DirectoryError,
  insufficientPrivileges,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import {
  boundIds,
  plainProperties,
  requireAllowedBinds,
  resolveReference,
} from '../kernel/references.js';
import { withoutAnnotations } from '../kernel/body-properties.js';
import { entityBody } from '../kernel/single-object.js';
import { relations } from '../store/relations.js';
import type { Body, StoredObject } from '../store/objects.js';
import { callerObject, isUserWithoutAdministratorRole } from './group-access.js';
import { checkNamingPolicy } from './naming-policy.js';
import { withLabelNames } from './sensitivity-labels.js';
import { withCanonicalValues, checkGroup, checkProperties } from './group-rules.js';
import {
  checkNicknameFree,
  checkUniqueNameFree,
  groupType,
  securityIdentifier,
} from './group-type.js';
import { requireRoleManagement } from './role-management.js';
import { isDynamic, isUnified } from './group-kinds.js';
import { addMembers, addOwners, ownerTypes } from './member-routes.js';
import { checkClassification, defaultClassification, requireCreationAllowed } from './settings.js';
import { checkTenantQuotas } from './tenant-quotas.js';
import { formatInstant } from '../kernel/presentation.js';

const requiredProperties = [
  'displayName',
  'mailEnabled',
  'mailNickname',
  'securityEnabled',
] as const;
/** The most groups that a user without an administrator's role may have created. */
const maxGroupsPerUser = 250;

/** `POST /groups`. */
export async function postGroup(request: DirectoryRequest): Promise<Reply> {
  const body = request.json();
  const group = await request.directory.sql.transaction(() => createGroupFrom(request, body));
  return created(entityBody(request, group, groupType), `${request.base}/groups/${group.id}`);
}

/**
 * Creates a group from the caller's body, with owners and members. Call in a transaction.
 *
 * @throws DirectoryError
 */
export async function createGroupFrom(
  request: DirectoryRequest,
  requestBody: Body,
  uniqueName?: string,
): Promise<StoredObject> {
  const { directory, caller } = request;
  const body = withBinds(directory, requestBody);
  requireAllowedBinds(body, groupType.binds);
  const input: Body = { ...plainProperties(body), ...omitUndefined({ uniqueName }) };
  const outsideProperty = propertiesOutsideMainStore.find((name) => name in input);
  if (outsideProperty)
    throw badRequest(
      `Property '${outsideProperty}' cannot be set when the group is created; change it afterwards, in a request without other properties.`,
      outsideProperty,
    );
  checkProperties(directory, input);
  const values = withCanonicalValues(directory, input);
  for (const name of requiredProperties)
    if (values[name] === undefined)
      throw badRequest(`Required property '${name}' is missing.`, name);
  const binds = await resolveBinds(request, body);
  const creator = await callerObject(request);
  // Only administrators may name themselves as owners (Directory rules, "Group relationships").
  if (
    isUserWithoutAdministratorRole(caller) &&
    binds.owners.some((owner) => owner.id === caller.objectId.toLowerCase())
  )
    throw duplicateValuesError();
  if (values['isAssignableToRole'] === true) requireRoleManagement(caller);
  else requireGroupWriterRole(caller);
  requireDataLocationRights(request, values);
  requireBindPermissions(request, binds);
  const id = randomUUID();
  await checkClassification(directory, values);
  const labeledValues = await withLabelNames(directory, values);
  const group = completeGroup(
    directory,
    id,
    { ...labeledValues, ...(await defaultClassification(directory, values)) },
    await nameOfDefaultDomain(directory),
    creator,
  );
  checkGroup(group);
  if (isDynamic(group) && binds.members.length > 0)
    throw insufficientPrivileges('the membership of a dynamic group follows its rule');
  await checkNicknameFree(directory, group);
  await checkUniqueNameFree(directory, group['uniqueName']);
  await checkTenantQuotas(directory, group);
  if (isUserWithoutAdministratorRole(caller)) {
    await requireCreationAllowed(directory, group, creator);
    await checkNamingPolicy(directory, group, creator);
    await requireUserQuota(directory, creator);
  }
  const storedGroup = await directory.objects.create(groupType, id, group);
  await addOwners(directory, storedGroup, initialOwners(request, group, binds, creator));
  await addMembers(directory, storedGroup, binds.members);
  if (creator && (caller.kind === 'application' || isUserWithoutAdministratorRole(caller)))
    await directory.links.add(storedGroup, 'createdOnBehalfOf', creator);
  return (await directory.objects.get(id)) as StoredObject;
}

/**
 * A body whose relationships are bound. In the neutral dialect a new group may also list its owners
 * and members as `owners` and `members`, by id, address or object.
 */
function withBinds({ dialect }: Directory, body: Body): Body {
  if (dialect !== 'neutral') return body;
  const { binds = [] } = groupType;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const bindName = `${name}@odata.bind`;
      if (!binds.includes(name) || Object.hasOwn(body, bindName)) return [name, value];
      return [bindName, [value ?? []].flat().map(referenceIn)];
    }),
  );
}

function referenceIn(entry: unknown): unknown {
  return isObject(entry) ? (entry['@odata.id'] ?? entry['id']) : entry;
}

/**
 * The owners of a new group: the bound ones. If there are none, the user who creates it, if the
 * group is unified or the user has no administrator's role.
 */
function initialOwners(
  request: DirectoryRequest,
  group: Body,
  binds: BoundObjects,
  creator: StoredObject | undefined,
): readonly StoredObject[] {
  if (binds.owners.length > 0 || creator === undefined || request.caller.kind !== 'user')
    return binds.owners;
  return isUnified(group) || isUserWithoutAdministratorRole(request.caller) ? [creator] : [];
}

/**
 * A new group: the given values, and the properties that the service sets.
 *
 * @param mailDomain the domain of the mail address of a unified group.
 */
export function completeGroup(
  directory: Directory,
  id: string,
  values: Body,
  mailDomain: string,
  creator?: StoredObject,
): Body {
  const now = formatInstant(directory.clock.now());
  const unified = isUnified(values);
  const mail = `${String(values['mailNickname'])}@${mailDomain}`;
  const location = values['preferredDataLocation'] ?? creator?.body['preferredDataLocation'];
  return {
    ...values,
    groupTypes: values['groupTypes'] ?? [],
    createdDateTime: now,
    renewedDateTime: now,
    securityIdentifier: securityIdentifier(id),
    hasMembersWithLicenseErrors: false,
    visibility: values['visibility'] ?? defaultVisibility(directory, values),
    ...(values['writebackConfiguration'] !== undefined && {
      writebackConfiguration: completeWriteback({}, values),
    }),
    ...(unified && { mail, proxyAddresses: [`SMTP:${mail}`] }),
    membershipRuleProcessingState: isDynamic(values)
      ? (values['membershipRuleProcessingState'] ?? 'On')
      : null,
    ...omitUndefined({ preferredDataLocation: location }),
  };
}

/** The complete `writebackConfiguration` for a body that has only part of it. */
export function completeWriteback(current: Body, input: Body): Body {
  const [before, change] = [current, input].map(
    (body) => withoutAnnotations(body['writebackConfiguration'] ?? {}) as Body,
  );
  return { ...defaultWriteback, ...before, ...change };
}

function defaultVisibility(directory: Directory, values: Body): string | null {
  if (values['isAssignableToRole'] === true) return 'Private';
  if (isUnified(values)) return 'Public';
  return directory.dialect === 'neutral' ? 'Private' : null;
}

/** Checks who may set the location of a group's data. @throws DirectoryError 403. */
export function requireDataLocationRights(request: DirectoryRequest, input: Body): void {
  if (input['preferredDataLocation'] === undefined) return;
  const { caller } = request;
  if (!hasPermission(caller, 'Directory.ReadWrite.All'))
    throw insufficientPrivileges('preferredDataLocation needs Directory.ReadWrite.All');
  const roles = [
    'userAdministrator',
    'directoryWriters',
    'exchangeAdministrator',
    'sharePointAdministrator',
    'globalAdministrator',
  ] as const;
  requireRole(caller, roles);
}

/**
 * A user without an administrator's role can create at most 250 groups, including deleted ones that
 * can be restored.
 *
 * @throws DirectoryError 403.
 */
async function requireUserQuota(
  directory: Directory,
  creator: StoredObject | undefined,
): Promise<void> {
  if (creator === undefined) return;
  const createdByUser = sql`target = ${creator.number} and relation = ${relations.createdOnBehalfOf}`;
  const count = await directory.sql
    .count(sql`select (select count(*) from directory_link where ${createdByUser})
    + (select count(*) from directory_deleted_link where ${createdByUser}) as count`);
  if (count >= maxGroupsPerUser)
    throw new DirectoryError(
      403,
      'Directory_QuotaExceeded',
      `The directory object quota limit of ${maxGroupsPerUser} for the principal has been exceeded.`,
    );
}

/** The objects bound by a body. */
export interface BoundObjects {
  readonly owners: readonly StoredObject[];
  readonly members: readonly StoredObject[];
}

/**
 * Finds the objects of `owners@odata.bind` and `members@odata.bind`: together at most 20, no duplicates in a
 * list, all of them existing.
 *
 * @throws DirectoryError 400 or 404.
 */
export async function resolveBinds(request: DirectoryRequest, body: Body): Promise<BoundObjects> {
  const owners = boundIds(request.directory, body, 'owners', ownerTypes) ?? [];
  const members = boundIds(request.directory, body, 'members') ?? [];
  const { bindsPerRequest } = groupDescription.limits;
  if (owners.length + members.length > bindsPerRequest)
    throw badRequest(
      `The request binds ${owners.length + members.length} objects; at most ${bindsPerRequest} are allowed in one request.`,
    );
  return { owners: await resolveAll(request, owners), members: await resolveAll(request, members) };
}

async function resolveAll(
  request: DirectoryRequest,
  references: readonly string[],
): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for (const reference of references)
    objects.push(await resolveReference(request.directory, reference));
  if (new Set(objects.map((object) => object.id)).size !== objects.length)
    throw duplicateValuesError();
  return objects;
}

/**
 * An object is bound twice, or an ordinary user binds himself as owner. Clients look for exactly these
 * words.
 */
function duplicateValuesError(): Error {
  return badRequest('Request contains a property with duplicate values.');
}

const readPermissionsByType: Readonly<Record<string, readonly string[]>> = {
  user: ['User.Read.All', 'User.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All'],
  servicePrincipal: [
    'Application.Read.All',
    'Application.ReadWrite.All',
    'Directory.Read.All',
    'Directory.ReadWrite.All',
  ],
};

/**
 * Applications need permission to read the objects that they bind at creation; they can always bind
 * themselves.
 *
 * @throws DirectoryError 403.
 */
function requireBindPermissions(request: DirectoryRequest, binds: BoundObjects): void {
  const { caller } = request;
  if (caller.kind !== 'application') return;
  for (const object of [...binds.owners, ...binds.members]) {
    const permissions = readPermissionsByType[object.type];
    if (
      permissions === undefined ||
      object.id === caller.objectId.toLowerCase() ||
      hasPermission(caller, ...permissions)
    )
      continue;
    throw insufficientPrivileges(`binding a ${object.type} needs one of ${permissions.join(', ')}`);
  }
}
