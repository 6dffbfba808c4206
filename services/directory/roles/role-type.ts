import { derivedId } from '../../common/derived-id.js';
import { permit } from '../authorization/access.js';
import type { Directory } from '../kernel/directory.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { directoryRoleQueryRules } from '../odata/tables/role.js';
import type { StoredObject } from '../store/objects.js';
import type { RoleTemplate } from './role-templates.js';

const text: Property = { type: 'string', returned: 'default', readOnly: true };

/** Permissions that show roles. */
const roleReadPermissions = [
  'RoleManagement.Read.Directory',
  'RoleManagement.ReadWrite.Directory',
  'RoleManagement.Read.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];
/** Who may look at roles and at who has them. */
export const readRoles = permit(roleReadPermissions);
/** Who may give and take them. */
export const writeRoles = permit(['RoleManagement.ReadWrite.Directory', 'Directory.AccessAsUser.All'], {
  roles: ['globalAdministrator', 'privilegedRoleAdministrator'],
});

/** An activated directory role. */
export const directoryRoleType: ObjectType = {
  name: 'directoryRole',
  collection: 'directoryRoles',
  keys: { roleTemplateId: 'alternate_key' },
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
    const id = derivedId(`castellan directory role ${template.id}`);
    const { displayName, description } = template;
    return directory.objects.create(directoryRoleType, id, { displayName, description, roleTemplateId: template.id });
  });
}
