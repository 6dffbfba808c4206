import { requireByPathKey, requireObject } from '../kernel/single-object.js';
import { createHash, randomBytes } from 'node:crypto';
import { isObject } from '../../../core/values/is-object.js';
import { isGuid } from '../../../core/values/guid.js';
import type { SeedEntry } from '../../common/seed.js';
import { applicationType } from '../applications/application-type.js';
import { permit } from '../authorization/access.js';
import { findVisibleGroup } from '../groups/group-access.js';
import { badRequest, accessDenied, invalidProperty } from '../http/answers.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { formatInstant } from '../kernel/presentation.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import { resolveSeedReference } from '../kernel/seeding.js';
import { sameRules, type QueryRules } from '../odata/property-rules.js';
import type { StoredRecord } from '../store/records.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  putAssignment,
  removeAssignment,
  assignmentSides,
  type AssignmentSide,
} from './assignment-store.js';

const readAccess = permit([
  ...applicationType.readPermissions,
  'AppRoleAssignment.ReadWrite.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
  'User.Read.All',
]);
const writeAccess = permit(['AppRoleAssignment.ReadWrite.All'], {
  roles: [
    'globalAdministrator',
    'applicationAdministrator',
    'cloudApplicationAdministrator',
    'privilegedRoleAdministrator',
    'directoryWriters',
    'userAdministrator',
    'groupsAdministrator',
  ],
});
const queryRules: QueryRules = {
  resource: 'AppRoleAssignment',
  properties: {
    ...sameRules(
      { type: 'guid', operators: ['eq', 'in'] },
      'id',
      'appRoleId',
      'principalId',
      'resourceId',
    ),
    principalType: { type: 'string', operators: ['eq'] },
    principalDisplayName: { type: 'string', operators: ['eq', 'startsWith'] },
  },
};

/** The `appRoleId` of an assignment without a specific role. */
const defaultAccessRoleId = '00000000-0000-0000-0000-000000000000';
const maxAssignmentsPerPrincipal = 1500;
/** The `principalType` of an assignment by the type of its principal. */
const principalTypes: Readonly<Record<string, string>> = {
  user: 'User',
  group: 'Group',
  servicePrincipal: 'ServicePrincipal',
};

/** Adds the operations of app role assignments, of the resource and of the principal. */
export function addAppRoleAssignmentRoutes(router: Router): void {
  for (const [name, side] of [
    ['servicePrincipal', 'appRoleAssignedTo'],
    ['servicePrincipal', 'appRoleAssignments'],
    ['user', 'appRoleAssignments'],
    ['group', 'appRoleAssignments'],
  ] as const)
    addRecordOperations<StoredObject>(router, {
      path: `/${name}s/{id}/${side}`,
      read: readAccess,
      write: writeAccess,
      findParent: (request) =>
        name === 'group'
          ? findVisibleGroup(request)
          : requireByPathKey(request, request.directory.types.get(name)),
      queryRules,
      create: (request, values, objectOfPath) =>
        createAssignment(request.directory, values, side, objectOfPath),
      onRemove: ({ directory }, assignment) => removeAssignment(directory, assignment),
    });
}

/**
 * Assigns a role of an application to a user, group or service principal. Call in a transaction.
 *
 * @param objectOfPath the object of the path: the resource or the principal, depending on the side.
 * @throws DirectoryError 400 for a role that is unknown, disabled, not available to the principal,
 *   or already assigned; 404 for an unknown resource or principal; 403 over the quota.
 */
async function createAssignment(
  directory: Directory,
  values: Body,
  side: AssignmentSide,
  objectOfPath: StoredObject,
): Promise<StoredRecord> {
  const [appRoleId, principalId, resourceId] = ['appRoleId', 'principalId', 'resourceId'].map(
    (name) => {
      const value = values[name];
      if (!isGuid(value)) throw invalidProperty(name, 'a GUID is expected');
      return value.toLowerCase();
    },
  ) as [string, string, string];
  if ((side === 'appRoleAssignedTo' ? resourceId : principalId) !== objectOfPath.id)
    throw invalidProperty(assignmentSides[side], 'it must be the id in the path');
  const resource = await requireObject(directory, resourceId, 'servicePrincipal');
  const principal = await requireObject(directory, principalId);
  if (principalTypes[principal.type] === undefined)
    throw badRequest(
      'Not a valid reference update: roles are assigned to users, groups and service principals.',
    );
  requireAssignableAppRole(resource, appRoleId, principal.type);
  const existing = await directory.records.list('appRoleAssignments', principal.id);
  if (
    existing.some(
      ({ body }) => body['appRoleId'] === appRoleId && body['resourceId'] === resource.id,
    )
  )
    throw badRequest('Permission being assigned already exists on the object.', 'appRoleId');
  if (existing.length >= maxAssignmentsPerPrincipal)
    throw accessDenied(
      `A principal has at most ${maxAssignmentsPerPrincipal} app role assignments.`,
    );
  return putAssignment(
    directory,
    randomBytes(32).toString('base64url'),
    assignmentBody(directory, resource, principal, appRoleId),
  );
}

function assignmentBody(
  directory: Directory,
  resource: StoredObject,
  principal: StoredObject,
  appRoleId: unknown,
): Body {
  return {
    deletedDateTime: null,
    appRoleId,
    createdDateTime: formatInstant(directory.clock.now()),
    principalDisplayName: principal.body['displayName'] ?? null,
    principalId: principal.id,
    principalType: principalTypes[principal.type] ?? null,
    resourceDisplayName: resource.body['displayName'] ?? null,
    resourceId: resource.id,
  };
}

function requireAssignableAppRole(
  resource: StoredObject,
  appRoleId: string,
  principalType: string,
): void {
  const roles = Array.isArray(resource.body['appRoles'])
    ? resource.body['appRoles'].filter(isObject)
    : [];
  if (appRoleId === defaultAccessRoleId) return;
  const role = roles.find((each) => String(each['id']).toLowerCase() === appRoleId);
  if (!role || role['isEnabled'] === false)
    throw badRequest(
      `Permission being assigned was not found on application '${String(resource.body['appId'])}'.`,
      'appRoleId',
    );
  const memberType = principalType === 'servicePrincipal' ? 'Application' : 'User';
  const allowedMemberTypes = Array.isArray(role['allowedMemberTypes'])
    ? (role['allowedMemberTypes'] as unknown[])
    : [];
  if (!allowedMemberTypes.includes(memberType))
    throw badRequest(
      `The role '${appRoleId}' cannot be assigned to a ${principalType}: it allows ${allowedMemberTypes.join(', ')}.`,
      'appRoleId',
    );
}

/**
 * Assigns the roles in `appRoleAssignedTo` of a seeded service principal: each entry has a
 * `principalId`, and optionally an `appRoleId`.
 */
export async function seedAssignments(directory: Directory, entry: SeedEntry): Promise<void> {
  const entries = entry['appRoleAssignedTo'];
  if (!Array.isArray(entries)) return;
  const resource = await resolveSeedReference(directory, 'servicePrincipals', entry['id']);
  for (const { principalId, appRoleId = defaultAccessRoleId } of entries as SeedEntry[]) {
    const principal = await resolveSeedReference(
      directory,
      'servicePrincipals: appRoleAssignedTo',
      principalId,
    );
    const existing = await directory.records.list('appRoleAssignments', principal.id);
    if (
      existing.some(
        ({ body }) => body['appRoleId'] === appRoleId && body['resourceId'] === resource.id,
      )
    )
      continue;
    const id = createHash('sha256')
      .update(`${resource.id} ${principal.id} ${String(appRoleId)}`)
      .digest('base64url');
    await putAssignment(directory, id, assignmentBody(directory, resource, principal, appRoleId));
  }
}
