import { createHash } from 'node:crypto';
import type { DirectoryRole } from '../authorization/directory-roles.js';
import type { Directory } from '../kernel/directory.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { directoryRoleQueryRules } from '../odata/tables/role.js';
import type { StoredObject } from '../store/objects.js';
import type { RoleTemplate } from './role-templates.js';

const text: Property = { type: 'string', returned: 'default', readOnly: true };

/** Permissions that show roles. */
export const roleReadPermissions = [
  'RoleManagement.Read.Directory',
  'RoleManagement.ReadWrite.Directory',
  'RoleManagement.Read.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];
/** Permissions and directory roles of which giving and taking them needs one each. */
export const roleWritePermissions = ['RoleManagement.ReadWrite.Directory', 'Directory.AccessAsUser.All'];
export const roleWriteRoles: readonly DirectoryRole[] = ['globalAdministrator', 'privilegedRoleAdministrator'];

/** An activated directory role. */
export const directoryRoleType: ObjectType = {
  name: 'directoryRole',
  collection: 'directoryRoles',
  queryRules: directoryRoleQueryRules,
  readPermissions: roleReadPermissions,
  writePermissions: [],
  writeRoles: [],
  softDelete: false,
  navigations: { members: { relations: ['roleMembers'], direction: 'out' } },
  lookups: (body) => ({ alternateKey: body['roleTemplateId'] }),
  lookupColumns: { roleTemplateId: 'o.alternate_key' },
  properties: {
    deletedDateTime: { ...text, type: 'dateTime' },
    description: text,
    displayName: text,
    roleTemplateId: text,
  },
};

/** The role of a template: the one that is active, or a new one. Its id is the same in every directory of this service. */
export async function activateRole(directory: Directory, template: RoleTemplate): Promise<StoredObject> {
  return directory.sql.write(async () => {
    const [active] = await directory.objects.findBy('directoryRole', 'alternate_key', template.id);
    if (active) return active;
    const hex = createHash('sha256').update(`castellan directory role ${template.id}`).digest('hex');
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    const { displayName, description } = template;
    return directory.objects.create(directoryRoleType, id, { displayName, description, roleTemplateId: template.id });
  });
}
