import { badRequest, objectNotFound } from '../http/errors.js';
import { created, ok } from '../http/reply.js';
import type { Router } from '../http/router.js';
import { referenceOperations } from '../kernel/reference-operations.js';
import { createdBody } from '../kernel/single.js';
import { standardOperations } from '../kernel/standard-operations.js';
import { listItems } from '../kernel/item-operations.js';
import { odataLimits, type QueryRules } from '../odata/index.js';
import { findRoleTemplate, roleTemplates } from './role-templates.js';
import { activateRole, directoryRoleType, readRoles, writeRoles } from './role-type.js';

const text = { type: 'string', default: ['eq', 'in', 'startsWith'] } as const;
const templateRules: QueryRules = { resource: 'DirectoryRoleTemplate', properties: { id: text, displayName: text }, relationships: {} };

/** Directory roles: activated from templates, never deactivated, with their members. */
export function directoryRoleRoutes(router: Router): void {
  standardOperations(router, {
    type: directoryRoleType,
    read: readRoles,
    write: writeRoles,
    deletable: false,
    delta: ['roleMembers'],
  });
  router.on('POST', '/directoryRoles', writeRoles, async (request) => {
    const { roleTemplateId } = request.json();
    const template = findRoleTemplate(roleTemplateId);
    if (!template) throw badRequest(`The role template '${String(roleTemplateId)}' does not exist.`, 'roleTemplateId');
    // two clients may activate the same role at once: both get it
    const role = await activateRole(request.directory, template);
    return created(createdBody(request, role, directoryRoleType), `${request.base}/directoryRoles/${role.id}`);
  });
  referenceOperations(router, {
    type: directoryRoleType,
    name: 'members',
    relation: 'roleMembers',
    read: readRoles,
    write: writeRoles,
    targets: ['user', 'group', 'servicePrincipal'],
    check: (_directory, _role, member) => {
      if (member.type === 'group' && member.body['isAssignableToRole'] !== true)
        throw badRequest('Only groups with isAssignableToRole can be given directory roles.');
    },
  });
  router.on('GET', '/directoryRoleTemplates', readRoles, (request) => {
    const all = roleTemplates.map((template) => ({ ...template, deletedDateTime: null }));
    return listItems(request, 'directoryRoleTemplates', all, templateRules, odataLimits.top.maximum);
  });
  router.on('GET', '/directoryRoleTemplates/{id}', readRoles, (request) => {
    const template = findRoleTemplate(request.parameter('id'));
    if (!template) throw objectNotFound(request.parameter('id'));
    return ok({ ...request.context('directoryRoleTemplates/$entity'), ...template, deletedDateTime: null });
  });
}
