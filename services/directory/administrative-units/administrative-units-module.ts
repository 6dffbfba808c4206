import { randomBytes, randomUUID } from 'node:crypto';
import { isObject } from '../../../core/values/is-object.js';
import { administrativeUnitSchema } from '../../../kinds/administrative-unit/administrative-unit.js';
import { mistakeInBody } from '../../../kinds/schema/request-body.js';
import {
  type Access,
  readAccessOf,
  requirePermission,
  writeAccessOf,
} from '../authorization/access.js';
import { groupWriterRoles } from '../authorization/directory-roles.js';
import type { Directory } from '../kernel/directory.js';
import type { DirectoryModule } from '../directory-module.js';
import { isDynamicUnit } from '../dynamic-membership/processor.js';
import { canonicalEnumValue } from '../governance/schedule-info.js';
import { createGroupFrom } from '../groups/create-group.js';
import { groupCreateAccess } from '../groups/group-access.js';
import { parseRule } from '../groups/group-rules.js';
import { membershipLookupKey } from '../groups/group-type.js';
import { canSeeMembers } from '../membership/hidden-memberships.js';
import {
  badRequest,
  created,
  insufficientPrivileges,
  invalidProperty,
  ok,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { addRecordOperations, presentRecord } from '../kernel/record-operations.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { odataType, present } from '../kernel/presentation.js';
import { requireObject } from '../kernel/single-object.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import { mergeProperties, requireProperties } from '../kernel/body-properties.js';
import {
  commonPropertyRules,
  descriptionText,
  exactText,
  sortableText,
} from '../odata/property-rules.js';
import type { StoredRecord } from '../store/records.js';
import type { ReferringRecords } from '../store/referring-records.js';
import type { Body, StoredObject } from '../store/objects.js';
import { requireReadableUser, userReadAccess } from '../users/user-type.js';

const textProperty: Property = { type: 'string', returned: 'default' };

/** A container of users, groups and devices, over which roles can be assigned. */
const unitType: ObjectType = {
  name: 'administrativeUnit',
  collection: 'administrativeUnits',
  isOpenType: true,
  queryRules: {
    resource: 'AdministrativeUnit',
    properties: {
      ...commonPropertyRules,
      description: descriptionText,
      displayName: sortableText(['eq', 'ge', 'le', 'in', 'startsWith']),
      visibility: exactText,
    },
    expand: ['members', 'scopedRoleMembers'],
  },
  readPermissions: [
    'AdministrativeUnit.Read.All',
    'AdministrativeUnit.ReadWrite.All',
    'Directory.Read.All',
    'Directory.ReadWrite.All',
  ],
  writePermissions: ['AdministrativeUnit.ReadWrite.All', 'Directory.ReadWrite.All'],
  writeRoles: ['globalAdministrator', 'privilegedRoleAdministrator'],
  softDelete: true,
  navigations: {
    members: {
      relations: ['unitMembers'],
      direction: 'out',
      mayFollow: canSeeMembers,
      references: {
        targetTypes: ['user', 'group', 'device'],
        requireChangeable: requireAssignedMembership,
      },
    },
    scopedRoleMembers: {
      read: async (directory, { id }) =>
        (await directory.records.list('scopedRoleMembers', id)).map((record) => ({
          id: record.id,
          ...record.body,
        })),
    },
  },
  properties: {
    deletedDateTime: { ...textProperty, type: 'dateTime', readOnly: true },
    description: textProperty,
    displayName: { ...textProperty, notNull: true },
    isMemberManagementRestricted: { type: 'boolean', returned: 'default' },
    membershipRule: textProperty,
    membershipRuleProcessingState: textProperty,
    membershipType: textProperty,
    visibility: textProperty,
  },
  lookupValues: (body) => ({
    alternateKey: isDynamicUnit(body)
      ? membershipLookupKey(body['membershipRuleProcessingState'])
      : undefined,
  }),
};

const readAccess = readAccessOf(unitType);
const writeAccess = writeAccessOf(unitType);

/**
 * Administrative units, served at `/directory/administrativeUnits` and at `/administrativeUnits`.
 */
export const administrativeUnitsModule: DirectoryModule = {
  types: [unitType],
  routes(router) {
    for (const path of ['/directory/administrativeUnits', '/administrativeUnits'])
      addUnitRoutes(router, path);
    router.on('GET', '/users/{id}/scopedRoleMemberOf', userReadAccess, async (request) => {
      const user = await requireReadableUser(request);
      return ok(
        request.withContext('scopedRoleMemberships', {
          value: await scopedRolesOf(request.directory, user.id),
        }),
      );
    });
  },
  start(directory) {
    directory.deletion.referringRecords.add(
      scopedRoleMembersCollection,
      referringScopedRoles(directory),
    );
  },
};

function addUnitRoutes(router: Router, path: string): void {
  addStandardOperations(router, {
    type: unitType,
    deltaRelations: ['unitMembers'],
    path,
    read: readAccess,
    write: writeAccess,
    create: (_request, values) => {
      requireProperties(unitType, values, ['displayName']);
      checkUnit(values);
      const body = { isMemberManagementRestricted: false, ...withCanonicalValues(values) };
      checkDynamicUnit(body);
      return Promise.resolve({ id: randomUUID(), body });
    },
    change: (_request, current, values) => {
      checkUnit(values);
      const next = mergeProperties(current.body, withCanonicalValues(values));
      checkDynamicUnit(next);
      return Promise.resolve(next);
    },
  });
  router.on('POST', `${path}/{id}/members`, memberCreateAccess, createMember);
  addScopedRoleRoutes(router, path, readAccess, writeAccess);
}

function checkUnit(values: Readonly<Record<string, unknown>>): void {
  const mistake = mistakeInBody(administrativeUnitSchema.properties, values, { anyCase: true });
  if (mistake) throw invalidProperty(mistake.path, mistake.message);
  for (const [name, words] of Object.entries(membershipEnumValues)) {
    const value = values[name] ?? null;
    if (value !== null) canonicalEnumValue(words, value, name);
  }
  if (typeof values['membershipRule'] === 'string') parseRule(values['membershipRule']);
}

/** @throws DirectoryError 400 for a unit with dynamic membership and without a rule. */
function checkDynamicUnit(unit: Body): void {
  const rule = unit['membershipRule'];
  if (isDynamicUnit(unit) && (typeof rule !== 'string' || rule.trim() === ''))
    throw invalidProperty('membershipRule', 'a unit with dynamic membership needs a rule');
}

/** @throws DirectoryError 403: members of a dynamic unit cannot be changed directly. */
function requireAssignedMembership(unit: StoredObject): void {
  if (isDynamicUnit(unit.body))
    throw insufficientPrivileges('the membership of a dynamic unit follows its rule');
}

/** Values with those of {@link membershipEnumValues} as they are spelled there. */
function withCanonicalValues(values: Body): Body {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const words = Object.hasOwn(membershipEnumValues, name)
        ? membershipEnumValues[name]
        : undefined;
      return [name, words && value !== null ? canonicalEnumValue(words, value, name) : value];
    }),
  );
}

/** The values of the properties of a unit whose members a rule selects. */
const membershipEnumValues: Readonly<Record<string, readonly string[]>> = {
  membershipType: ['Assigned', 'Dynamic'],
  membershipRuleProcessingState: ['On', 'Paused'],
};

/** Who may create a group inside a unit: who may create groups, if they may also read units. */
const memberCreateAccess: Access = {
  ...groupCreateAccess,
  roles: [...groupWriterRoles, 'privilegedRoleAdministrator'],
};

/** Creates a group inside a unit. */
async function createMember(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  requirePermission(request.caller, ...unitType.readPermissions);
  const body = request.json();
  const type = String(body['@odata.type'] ?? odataType(directory, 'group'));
  if (type.toLowerCase() !== odataType(directory, 'group').toLowerCase())
    throw badRequest(`Only groups can be created inside a unit, not '${type}'.`);
  const group = await directory.sql.transaction(async () => {
    const unit = await requireObject(directory, request.parameter('id'), unitType.name);
    requireAssignedMembership(unit);
    const member = await createGroupFrom(request, body);
    await directory.links.add(unit, 'unitMembers', member);
    return member;
  });
  const view = present(directory, group, { withODataType: true });
  return created(
    request.withContext('directoryObjects/$entity', view),
    `${request.base}/groups/${group.id}`,
  );
}

/**
 * The two collections that have each scoped role membership: one with the unit as parent, one with
 * the principal, so that deleting either object deletes it.
 */
const [scopedRoleMembersCollection, scopedRoleMemberOfCollection] = [
  'scopedRoleMembers',
  'scopedRoleMemberOf',
];

/**
 * Adds the operations of the roles that principals have over an administrative unit.
 *
 * @param path the path of the list of units.
 */
export function addScopedRoleRoutes(
  router: Router,
  path: string,
  read: Access,
  write: Access,
): void {
  addRecordOperations<StoredObject>(router, {
    path: `${path}/{id}/scopedRoleMembers`,
    context: 'scopedRoleMemberships',
    read,
    write,
    findParent: (request) =>
      requireObject(request.directory, request.parameter('id'), 'administrativeUnit'),
    create: ({ directory }, values, unit) => createScopedRole(directory, unit, values),
    onRemove: ({ directory }, membership) => removeScopedRole(directory, membership),
  });
}

/** The roles of one principal over administrative units. */
export async function scopedRolesOf(
  directory: Directory,
  principalId: string,
): Promise<readonly Body[]> {
  return (await directory.records.list(scopedRoleMemberOfCollection, principalId)).map(
    presentRecord,
  );
}

/** The memberships as records that are deleted and restored with their unit and principal. */
function referringScopedRoles(directory: Directory): ReferringRecords {
  return {
    async list(objectId) {
      const lists = [scopedRoleMembersCollection, scopedRoleMemberOfCollection].map((collection) =>
        directory.records.list(collection, objectId),
      );
      return (await Promise.all(lists)).flat();
    },
    objectIdsOf: (body) => [body['administrativeUnitId'], memberIdOf(body)],
    put: ({ id, body }) => putScopedRole(directory, id, body),
    remove: (membership) => removeScopedRole(directory, membership),
  };
}

async function createScopedRole(
  directory: Directory,
  unit: StoredObject,
  body: Body,
): Promise<StoredRecord> {
  const { roleId, roleMemberInfo, administrativeUnitId } = body;
  if (administrativeUnitId !== undefined && String(administrativeUnitId).toLowerCase() !== unit.id)
    throw invalidProperty('administrativeUnitId', 'it must be the id in the path');
  const role = await requireObject(directory, String(roleId), 'directoryRole');
  const principal = await requireObject(
    directory,
    isObject(roleMemberInfo) ? String(roleMemberInfo['id']) : '',
  );
  const memberships = (
    await directory.records.list(scopedRoleMemberOfCollection, principal.id)
  ).map((record) => record.body);
  if (
    memberships.some(
      (other) => other['roleId'] === role.id && other['administrativeUnitId'] === unit.id,
    )
  )
    throw badRequest(
      "One or more added object references already exist for the following modified properties: 'scopedRoleMembers'.",
    );
  const id = randomBytes(24).toString('base64url');
  const membership = {
    administrativeUnitId: unit.id,
    roleId: role.id,
    roleMemberInfo: {
      id: principal.id,
      displayName: principal.body['displayName'] ?? null,
      userPrincipalName: principal.body['userPrincipalName'] ?? null,
    },
  };
  return putScopedRole(directory, id, membership);
}

async function putScopedRole(directory: Directory, id: string, body: Body): Promise<StoredRecord> {
  await directory.records.put(scopedRoleMemberOfCollection, memberIdOf(body), id, body);
  return directory.records.put(
    scopedRoleMembersCollection,
    String(body['administrativeUnitId']),
    id,
    body,
  );
}

async function removeScopedRole(directory: Directory, { id, body }: StoredRecord): Promise<void> {
  await directory.records.remove(
    scopedRoleMembersCollection,
    String(body['administrativeUnitId']),
    id,
  );
  await directory.records.remove(scopedRoleMemberOfCollection, memberIdOf(body), id);
}

function memberIdOf({ roleMemberInfo }: Body): string {
  return isObject(roleMemberInfo) ? String(roleMemberInfo['id']) : '';
}
