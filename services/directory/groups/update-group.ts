import { propertiesOutsideMainStore } from '../../../kinds/group/group.js';
import { hasRole, requireGroupWriterRole } from '../authorization/access.js';
import { administratorRoles } from '../authorization/directory-roles.js';
import { badRequest, insufficientPrivileges, noContent, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import { plainProperties, requireAllowedBinds } from '../kernel/references.js';
import { checkIfMatch, requireObject } from '../kernel/single-object.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  type BoundObjects,
  resolveBinds,
  requireDataLocationRights,
  completeWriteback,
} from './create-group.js';
import {
  callerObject,
  findGroup,
  isUserWithoutAdministratorRole,
  ownsGroup,
  requireManagedByApi,
} from './group-access.js';
import { withLabelNames } from './sensitivity-labels.js';
import { checkNicknameFree, groupType } from './group-type.js';
import { checkNamingPolicy } from './naming-policy.js';
import { requireRoleManagement } from './role-management.js';
import {
  withCanonicalValues,
  checkGroup,
  checkProperties,
  checkImmutableProperties,
} from './group-rules.js';
import { isDynamic } from './group-kinds.js';
import { addMembers, addOwners } from './member-routes.js';
import { changePropertiesOutsideStore } from './properties-outside-store.js';
import { checkClassification } from './settings.js';
import { checkTenantQuotas } from './tenant-quotas.js';

/** The properties outside the main store, which a body must change alone. */
const outsideStoreNames = new Set<string>(propertiesOutsideMainStore);

/** `PATCH /groups/{id}`. */
export async function patchGroup(request: DirectoryRequest): Promise<Reply> {
  const body = request.json();
  return request.directory.sql.transaction(async () => {
    const group = await findGroup(request);
    checkIfMatch(request, group);
    return updateGroup(request, group, body);
  });
}

/** Changes a group by the caller's body. Call in a transaction. @throws DirectoryError */
export async function updateGroup(
  request: DirectoryRequest,
  group: StoredObject,
  body: Body,
): Promise<Reply> {
  requireAllowedBinds(body, groupType.binds);
  const values = withCanonicalValues(request.directory, plainProperties(body));
  const names = Object.keys(values);
  const binds = await resolveBinds(request, body);
  const boundCount = binds.members.length + binds.owners.length;
  if (names.some((name) => outsideStoreNames.has(name))) {
    const otherName =
      names.find((name) => !outsideStoreNames.has(name)) ??
      (boundCount > 0 ? 'members@odata.bind' : undefined);
    if (otherName !== undefined) {
      const name = names.find((each) => outsideStoreNames.has(each)) ?? '';
      throw badRequest(
        `Property '${name}' cannot be changed together with '${otherName}': it is stored outside the main store.`,
        name,
      );
    }
    return changePropertiesOutsideStore(request, group, values);
  }
  requireManagedByApi(group);
  checkProperties(request.directory, values);
  checkImmutableProperties(group, values);
  await checkClassification(request.directory, values);
  await requireUpdateRights(request, group, names, binds);
  requireDataLocationRights(request, values);
  checkLabels(request, group, values);
  const changed = names.length > 0 ? await saveGroup(request, group, values) : group;
  await addOwners(request.directory, changed, binds.owners);
  await addMembers(request.directory, changed, binds.members);
  return noContent;
}

async function saveGroup(
  request: DirectoryRequest,
  group: StoredObject,
  input: Body,
): Promise<StoredObject> {
  const { directory } = request;
  const current = await requireObject(directory, group.id);
  const next = mergeGroup(current.body, await withLabelNames(directory, input));
  checkGroup(next);
  await checkTenantQuotas(directory, next, current);
  if (isUserWithoutAdministratorRole(request.caller))
    await checkNamingPolicy(directory, next, await callerObject(request), current.body);
  if ('mailNickname' in input) await checkNicknameFree(directory, next, group.id);
  return directory.objects.save(current, next);
}

/**
 * A group after a change. A group that becomes static loses rule and state and keeps its members;
 * one that becomes dynamic is processed.
 */
export function mergeGroup(current: Body, values: Body): Body {
  const next: Record<string, unknown> = { ...current, ...values };
  if ('writebackConfiguration' in values)
    next['writebackConfiguration'] = completeWriteback(current, values);
  if (next['isAssignableToRole'] === true && next['visibility'] === null)
    next['visibility'] = 'Private';
  if (!isDynamic(next)) {
    if (isDynamic(current)) next['membershipRule'] = values['membershipRule'] ?? null;
    next['membershipRuleProcessingState'] = null;
    return next;
  }
  next['membershipRuleProcessingState'] ??= 'On';
  return next;
}

/** Owners without a role may bind members and nothing else; the data location has its own roles. */
async function requireUpdateRights(
  request: DirectoryRequest,
  group: StoredObject,
  names: readonly string[],
  binds: BoundObjects,
): Promise<void> {
  if (group.body['isAssignableToRole'] === true) return requireRoleManagement(request.caller);
  const bindsObjects = binds.owners.length + binds.members.length > 0;
  if (!bindsObjects && names.length === 1 && names[0] === 'preferredDataLocation') return;
  const bindsOnlyMembers = names.length === 0 && binds.owners.length === 0;
  if (!(bindsOnlyMembers && (await ownsGroup(request, group))))
    requireGroupWriterRole(request.caller);
}

/**
 * Only signed-in administrators can change labels; those of a security group cannot change once
 * set.
 *
 * @throws DirectoryError
 */
function checkLabels(request: DirectoryRequest, group: StoredObject, values: Body): void {
  if (!('assignedLabels' in values)) return;
  const { caller } = request;
  if (
    caller.kind === 'application' ||
    (caller.kind === 'user' && !hasRole(caller, ...administratorRoles))
  )
    throw insufficientPrivileges('assignedLabels are updated by a signed-in administrator');
  const [currentLabels, newLabels] = [group.body, values].map((body) =>
    ((body['assignedLabels'] ?? []) as Body[]).map(({ labelId }) => labelId),
  );
  if (
    group.body['mailEnabled'] !== true &&
    currentLabels?.length &&
    JSON.stringify(currentLabels) !== JSON.stringify(newLabels)
  )
    throw badRequest(
      "Property 'assignedLabels' of a security group cannot be changed once it is set.",
      'assignedLabels',
    );
}
