import { randomBytes } from 'node:crypto';
import { badRequest, objectConflict, objectNotFound } from '../http/answers.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { requireKnownProperties } from '../kernel/body-properties.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import type { QueryRules } from '../odata/index.js';
import { textRules } from '../odata/property-rules.js';
import type { StoredRecord } from '../store/records.js';
import type { Body, StoredObject } from '../store/objects.js';
import { roleGrantExpansions } from './expansions.js';
import { findRoleDefinition } from './role-definitions.js';
import { findRoleTemplate } from './role-templates.js';
import { activateRole, roleReadAccess, roleWriteAccess } from './directory-roles.js';

const collection = 'roleAssignments';
const queryRules: QueryRules = {
  ...textRules(
    'UnifiedRoleAssignment',
    ['eq', 'in'],
    'id',
    'principalId',
    'roleDefinitionId',
    'directoryScopeId',
  ),
  expand: Object.keys(roleGrantExpansions),
};
const principalTypes = ['user', 'group', 'servicePrincipal'];
const settableProperties = ['roleDefinitionId', 'principalId', 'directoryScopeId', 'appScopeId'];

/**
 * Adds the operations of role assignments. An assignment of a built-in role over the whole
 * directory is equivalent to a membership in the activated role: creating or deleting either
 * creates or deletes the other.
 */
export function addRoleAssignmentRoutes(router: Router): void {
  addRecordOperations(router, {
    path: '/roleManagement/directory/roleAssignments',
    read: roleReadAccess,
    write: roleWriteAccess,
    queryRules,
    expansions: roleGrantExpansions,
    create: ({ directory }, values) => {
      requireKnownProperties(values, settableProperties, 'a role assignment');
      return assignRole(directory, values);
    },
    onRemove: ({ directory }, { body }) => removeMembership(directory, body),
  });
}

/** Deletes the assignment of a role to a principal, if it exists. */
export async function unassignRole(
  directory: Directory,
  { principalId, roleDefinitionId, directoryScopeId }: Body,
): Promise<void> {
  const existing = await directory.records.findWith(collection, '', {
    principalId,
    roleDefinitionId,
    directoryScopeId,
  });
  if (!existing) return;
  await directory.records.remove(collection, '', existing.id);
  await removeMembership(directory, existing.body);
}

async function removeMembership(directory: Directory, body: Body): Promise<void> {
  const membership = await equivalentMembership(directory, body);
  if (membership) await directory.links.remove(membership.role, 'roleMembers', membership.member);
}

/**
 * From now on changes assignments when role memberships change, and deletes and restores those of
 * principals, and over objects, that are deleted and restored.
 */
export function syncRoleAssignmentsOnChange(directory: Directory): void {
  directory.links.listen(async ({ source, relation, target, isRemoval }) => {
    if (relation !== 'roleMembers') return;
    const body = {
      principalId: target.id,
      roleDefinitionId: String(source.body['roleTemplateId']),
      directoryScopeId: '/',
    };
    const existing = await directory.records.findWith(collection, '', body);
    if (isRemoval && existing) await directory.records.remove(collection, '', existing.id);
    if (!isRemoval && !existing) await storeAssignment(directory, body);
  });
  const { records } = directory;
  directory.deletion.referringRecords.add(collection, {
    list: async (objectId) =>
      (await records.list(collection, '')).filter(
        ({ body }) => body['principalId'] === objectId || isScopedToObject(body, objectId),
      ),
    objectIdsOf: (body) => [
      body['principalId'],
      idOfScope(String(body['directoryScopeId'])) || undefined,
    ],
    put: ({ id, body }) => records.put(collection, '', id, body, id),
    remove: ({ id }) => records.remove(collection, '', id),
  });
}

/** Assigns a role to a principal. Call in a transaction. @throws DirectoryError 400, 404, 409. */
export async function assignRole(directory: Directory, body: Body): Promise<StoredRecord> {
  const { roleDefinitionId, principalId } = body;
  if (typeof roleDefinitionId !== 'string' || typeof principalId !== 'string')
    throw badRequest(
      "Values are required for properties 'roleDefinitionId' and 'principalId'.",
      'roleDefinitionId',
    );
  const definition = await findRoleDefinition(directory, roleDefinitionId);
  if (!definition) throw objectNotFound(roleDefinitionId);
  const principal = await directory.objects.get(principalId);
  if (!principal || !principalTypes.includes(principal.type)) throw objectNotFound(principalId);
  if (principal.type === 'group' && principal.body['isAssignableToRole'] !== true)
    throw badRequest(
      'Only groups with isAssignableToRole can be given directory roles.',
      'principalId',
    );
  const directoryScopeId = await requireScope(directory, body);
  const newAssignment = {
    principalId: principal.id,
    roleDefinitionId: definition.id,
    directoryScopeId,
  };
  if (await directory.records.findWith(collection, '', newAssignment))
    throw objectConflict(
      'A conflicting object with one or more of the specified property values is present in the directory.',
      'principalId',
    );
  const assignment = await storeAssignment(directory, newAssignment);
  const template = directoryScopeId === '/' ? findRoleTemplate(definition.id) : undefined;
  if (template)
    await directory.links.add(await activateRole(directory, template), 'roleMembers', principal);
  return assignment;
}

/**
 * The scope of an assignment or a schedule, by default the whole directory.
 *
 * @throws DirectoryError 404 if it is neither the whole directory, nor an object that exists, nor,
 *   after `/administrativeUnits/`, such a unit; 400 for no text, and for the scope of an application.
 */
export async function requireScope(
  directory: Directory,
  { directoryScopeId = '/', appScopeId = null }: Body,
): Promise<string> {
  if (appScopeId !== null)
    throw badRequest(
      "'appScopeId' is not supported: roles are over the directory or an object in it.",
      'appScopeId',
    );
  if (typeof directoryScopeId !== 'string')
    throw badRequest("'directoryScopeId' must be a string.", 'directoryScopeId');
  if (directoryScopeId === '/') return directoryScopeId;
  const object = await directory.objects.get(idOfScope(directoryScopeId) ?? '');
  const isUnitScope = directoryScopeId.startsWith('/administrativeUnits/');
  if (object === undefined || (isUnitScope && object.type !== 'administrativeUnit'))
    throw objectNotFound(directoryScopeId);
  return directoryScopeId;
}

/** Whether an assignment, or a schedule of one, is over an object, and not the whole directory. */
export function isScopedToObject({ directoryScopeId }: Body, objectId: string): boolean {
  return (
    typeof directoryScopeId === 'string' && idOfScope(directoryScopeId)?.toLowerCase() === objectId
  );
}

/**
 * The id of the object that a scope names, as `/<id>` or `/administrativeUnits/<id>`; empty for the
 * whole directory, undefined for what is no scope.
 */
function idOfScope(directoryScopeId: string): string | undefined {
  return /^\/(?:administrativeUnits\/)?([^/]*)$/.exec(directoryScopeId)?.[1];
}

/** The membership that is equivalent to an assignment. */
async function equivalentMembership(
  directory: Directory,
  body: Body,
): Promise<{ role: StoredObject; member: StoredObject } | undefined> {
  if (body['directoryScopeId'] !== '/') return undefined;
  const [role] = await directory.objects.findBy(
    'directoryRole',
    'alternate_key',
    String(body['roleDefinitionId']),
  );
  const member = await directory.objects.get(String(body['principalId']));
  return role && member ? { role, member } : undefined;
}

async function storeAssignment(directory: Directory, body: Body): Promise<StoredRecord> {
  const id = randomBytes(24).toString('base64url');
  return directory.records.put(
    collection,
    '',
    id,
    { ...body, resourceScope: body['directoryScopeId'] },
    id,
  );
}
