import { permit } from '../authorization/access.js';
import { badRequest, objectNotFound } from '../http/errors.js';
import type { PathKey } from '../http/path.js';
import { created, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { referenceOperations } from '../kernel/reference-operations.js';
import { createdBody } from '../kernel/single.js';
import { standardOperations } from '../kernel/standard-operations.js';
import { listItems } from '../kernel/item-list.js';
import { odataLimits, type QueryRules } from '../odata/index.js';
import type { StoredObject } from '../store/objects.js';
import { findRoleTemplate, roleTemplates } from './role-templates.js';
import { activateRole, directoryRoleType, roleReadPermissions, roleWritePermissions, roleWriteRoles } from './role-type.js';

const read = permit(roleReadPermissions);
const write = permit(roleWritePermissions, { roles: roleWriteRoles });
const text = { type: 'string', default: ['eq', 'in', 'startsWith'] } as const;
const templateRules: QueryRules = { resource: 'DirectoryRoleTemplate', properties: { id: text, displayName: text }, relationships: {} };

/** Directory roles: activated from templates, never deactivated, with their members. */
export function directoryRoleRoutes(router: Router): void {
  standardOperations(router, {
    type: directoryRoleType,
    path: '/directoryRoles',
    read,
    write,
    deletable: false,
    delta: ['roleMembers'],
    find: findRole,
  });
  router.on('POST', '/directoryRoles', write, async (request) => {
    const { roleTemplateId } = request.json();
    const template = findRoleTemplate(roleTemplateId);
    if (!template) throw badRequest(`The role template '${String(roleTemplateId)}' does not exist.`, 'roleTemplateId');
    // two clients may activate the same role at once: both get it
    const role = await activateRole(request.directory, template);
    return created(createdBody(request, role, directoryRoleType), `${request.base}/directoryRoles/${role.id}`);
  });
  referenceOperations(router, {
    path: '/directoryRoles',
    type: directoryRoleType,
    name: 'members',
    relation: 'roleMembers',
    read,
    write,
    targets: ['user', 'group', 'servicePrincipal'],
    find: async (request) => {
      const key = request.key('id');
      const role = await findRole(request, key);
      if (!role) throw objectNotFound(typeof key === 'string' ? key : key.value);
      return role;
    },
    check: (_request, _role, member, removing) => {
      if (!removing && member.type === 'group' && member.body['isAssignableToRole'] !== true)
        throw badRequest('Only groups with isAssignableToRole can be given directory roles.');
      return Promise.resolve();
    },
  });
  router.on('GET', '/directoryRoleTemplates', read, (request) => {
    const all = roleTemplates.map((template) => ({ ...template, deletedDateTime: null }));
    return listItems(request, 'directoryRoleTemplates', all, templateRules, odataLimits.top.maximum);
  });
  router.on('GET', '/directoryRoleTemplates/{id}', read, (request) => {
    const template = findRoleTemplate(request.parameter('id'));
    if (!template) throw objectNotFound(request.parameter('id'));
    return ok({ '@odata.context': `${request.base}/$metadata#directoryRoleTemplates/$entity`, ...template, deletedDateTime: null });
  });
}

async function findRole({ directory }: DirectoryRequest, key: PathKey): Promise<StoredObject | undefined> {
  if (typeof key === 'string') return directory.objects.getOfType('directoryRole', key);
  return key.property === 'roleTemplateId' ? (await directory.objects.findBy('directoryRole', 'alternate_key', key.value))[0] : undefined;
}
