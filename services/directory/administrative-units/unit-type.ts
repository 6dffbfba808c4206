import type { DirectoryRole } from '../authorization/directory-roles.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { unitQueryRules } from '../odata/tables/role.js';

const text: Property = { type: 'string', returned: 'default' };

/** Permissions that show administrative units. */
export const unitReadPermissions = [
  'AdministrativeUnit.Read.All',
  'AdministrativeUnit.ReadWrite.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];
/** Permissions and directory roles of which writing them needs one each. */
export const unitWritePermissions = ['AdministrativeUnit.ReadWrite.All', 'Directory.ReadWrite.All'];
export const unitWriteRoles: readonly DirectoryRole[] = ['globalAdministrator', 'privilegedRoleAdministrator'];

/** A container of users, groups and devices over which roles can be held. */
export const unitType: ObjectType = {
  name: 'administrativeUnit',
  collection: 'administrativeUnits',
  open: true,
  queryRules: unitQueryRules,
  readPermissions: unitReadPermissions,
  writePermissions: unitWritePermissions,
  writeRoles: unitWriteRoles,
  softDelete: true,
  navigations: {
    members: { relations: ['unitMembers'], direction: 'out' },
    scopedRoleMembers: {
      read: async (directory, { id }) =>
        (await directory.items.list('scopedRoleMembers', id)).map((item) => ({ id: item.id, ...item.body })),
    },
  },
  properties: {
    deletedDateTime: { ...text, type: 'dateTime', readOnly: true },
    description: text,
    displayName: { ...text, notNull: true },
    isMemberManagementRestricted: { type: 'boolean', returned: 'default' },
    membershipRule: text,
    membershipRuleProcessingState: text,
    membershipType: text,
    visibility: text,
  },
};
