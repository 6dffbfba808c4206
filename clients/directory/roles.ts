import {
  objects,
  type Objects,
  containedObjects,
  type ContainedObjects,
  readableObjects,
  type ReadableObjects,
} from './objects.js';
import { type CallOptions, type DirectoryConnection, quote } from './connection.js';
import { references, type References } from './references.js';
import { list, send } from './request.js';
import type {
  AdministrativeUnit,
  DirectoryRole,
  RoleAssignment,
  RoleDefinition,
  ScopedRoleMembership,
} from './types/role.js';

/** Administrative units, with their members and scoped role members. */
export interface AdministrativeUnits extends Objects<AdministrativeUnit> {
  readonly members: References;
  readonly scopedRoleMembers: ScopedRoleMembers;
}

/**
 * Roles that principals have over one administrative unit; `roleId` is the object id of an
 * activated directory role.
 */
export type ScopedRoleMembers = ContainedObjects<
  ScopedRoleMembership,
  { readonly roleId: string; readonly principalId: string }
>;

/** Activated directory roles; a role cannot be deactivated. */
export interface DirectoryRoles extends ReadableObjects<DirectoryRole> {
  readonly members: References;
  /** The roles that can be activated. */
  readonly templates: ReadableObjects<DirectoryRole>;
  /** Activates the role of a template, or returns it when it is active. */
  activate(roleTemplateId: string, call?: CallOptions): Promise<DirectoryRole>;
}

/** Role management: definitions and assignments. */
export interface RoleManagement {
  readonly definitions: Objects<RoleDefinition>;
  readonly assignments: Objects<RoleAssignment>;
}

/** The administrative unit endpoints. */
export function administrativeUnits(connection: DirectoryConnection): AdministrativeUnits {
  const collection = 'directory/administrativeUnits';
  const memberships = containedObjects<ScopedRoleMembership, object>(
    connection,
    collection,
    'scopedRoleMembers',
  );
  return {
    ...objects<AdministrativeUnit>(connection, collection),
    members: references(connection, collection, 'members'),
    scopedRoleMembers: {
      ...memberships,
      create: (unitId, { roleId, principalId }, call) =>
        memberships.create(
          unitId,
          { administrativeUnitId: unitId, roleId, roleMemberInfo: { id: principalId } },
          call,
        ),
    },
  };
}

/** The directory role endpoints. */
export function directoryRoles(connection: DirectoryConnection): DirectoryRoles {
  return {
    ...readableObjects<DirectoryRole>(connection, 'directoryRoles'),
    members: references(connection, 'directoryRoles', 'members'),
    templates: readableObjects<DirectoryRole>(connection, 'directoryRoleTemplates'),
    async activate(roleTemplateId, call) {
      for await (const role of list<DirectoryRole>(connection, 'directoryRoles', {
        filter: `roleTemplateId eq ${quote(roleTemplateId)}`,
        ...call,
      }))
        return role;
      return send<DirectoryRole>(connection, 'POST', 'directoryRoles', { roleTemplateId }, call);
    },
  };
}

/** The role management endpoints. */
export function roleManagement(connection: DirectoryConnection): RoleManagement {
  return {
    definitions: objects<RoleDefinition>(connection, 'roleManagement/directory/roleDefinitions'),
    assignments: objects<RoleAssignment>(connection, 'roleManagement/directory/roleAssignments'),
  };
}
