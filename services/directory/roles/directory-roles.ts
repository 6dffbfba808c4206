import { derivedId } from '../../../core/values/derived-id.js';
import { permit } from '../authorization/access.js';
import type { DirectoryRole } from '../authorization/directory-roles.js';
import { badRequest, created } from '../http/answers.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { entityBody } from '../kernel/single-object.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import { odataLimits } from '../odata/index.js';
import {
  commonPropertyRules,
  exactText,
  sortableText,
  textRules,
} from '../odata/property-rules.js';
import type { StoredObject } from '../store/objects.js';
import { findRoleTemplate, type RoleTemplate, roleTemplates } from './role-templates.js';

const templateRules = textRules(
  'DirectoryRoleTemplate',
  ['eq', 'in', 'startsWith'],
  'id',
  'displayName',
);

/**
 * Adds the operations of directory roles, which are activated from templates, and of their members.
 */
export function addDirectoryRoleRoutes(router: Router): void {
  addStandardOperations(router, {
    type: directoryRoleType,
    read: roleReadAccess,
    write: roleWriteAccess,
    deletable: false,
    deltaRelations: ['roleMembers'],
  });
  router.on('POST', '/directoryRoles', roleWriteAccess, async (request) => {
    const { roleTemplateId } = request.json();
    if (typeof roleTemplateId !== 'string')
      throw badRequest("A value is required for property 'roleTemplateId'.", 'roleTemplateId');
    const template = findRoleTemplate(roleTemplateId);
    if (!template)
      throw badRequest(`The role template '${roleTemplateId}' does not exist.`, 'roleTemplateId');
    // A role that is active already is returned: two clients may activate it at once.
    const role = await activateRole(request.directory, template);
    return created(
      entityBody(request, role, directoryRoleType),
      `${request.base}/directoryRoles/${role.id}`,
    );
  });
  addRecordOperations(router, {
    path: '/directoryRoleTemplates',
    read: roleReadAccess,
    queryRules: templateRules,
    pageSize: odataLimits.top.maximum,
    list: () =>
      roleTemplates.map(({ id, ...template }) => ({
        id,
        body: { ...template, deletedDateTime: null },
      })),
  });
}

const readOnlyText: Property = { type: 'string', returned: 'default', readOnly: true };

/** Permissions to read roles. */
const roleReadPermissions = [
  'RoleManagement.Read.Directory',
  'RoleManagement.ReadWrite.Directory',
  'RoleManagement.Read.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];
/** Who may read roles and their members. */
export const roleReadAccess = permit(roleReadPermissions);
/** Who may assign directory roles. */
export const roleWriterRoles: readonly DirectoryRole[] = [
  'globalAdministrator',
  'privilegedRoleAdministrator',
];
/** Who may add and remove role members. */
export const roleWriteAccess = permit(
  ['RoleManagement.ReadWrite.Directory', 'Directory.AccessAsUser.All'],
  {
    roles: roleWriterRoles,
  },
);

/** An activated directory role. */
export const directoryRoleType: ObjectType = {
  name: 'directoryRole',
  collection: 'directoryRoles',
  alternateKeys: { roleTemplateId: 'alternate_key' },
  queryRules: {
    resource: 'DirectoryRole',
    properties: {
      ...commonPropertyRules,
      description: exactText,
      displayName: sortableText(['eq', 'in', 'startsWith']),
      roleTemplateId: { type: 'guid', operators: ['eq', 'in'] },
    },
    expand: ['members'],
  },
  readPermissions: roleReadPermissions,
  writePermissions: [],
  writeRoles: [],
  softDelete: false,
  navigations: {
    members: {
      relations: ['roleMembers'],
      direction: 'out',
      references: {
        targetTypes: ['user', 'group', 'servicePrincipal'],
        checkNewReference: (_directory, _role, member) => {
          if (member.type === 'group' && member.body['isAssignableToRole'] !== true)
            throw badRequest('Only groups with isAssignableToRole can be given directory roles.');
        },
      },
    },
  },
  lookupValues: (body) => ({ alternateKey: body['roleTemplateId'] }),
  filterColumns: { roleTemplateId: 'o.alternate_key' },
  properties: {
    deletedDateTime: { ...readOnlyText, type: 'dateTime' },
    description: readOnlyText,
    displayName: readOnlyText,
    roleTemplateId: readOnlyText,
  },
};

/**
 * The role of a template: the active one, or a new one. Its id is the same in every directory of
 * this service.
 */
export async function activateRole(
  directory: Directory,
  template: RoleTemplate,
): Promise<StoredObject> {
  return directory.sql.transaction(async () => {
    const [active] = await directory.objects.findBy('directoryRole', 'alternate_key', template.id);
    if (active) return active;
    const id = derivedId(`castellan directory role ${template.id}`);
    const { displayName, description } = template;
    return directory.objects.create(directoryRoleType, id, {
      displayName,
      description,
      roleTemplateId: template.id,
    });
  });
}
