import { randomUUID } from 'node:crypto';
import { permit } from '../authorization/access.js';
import { badRequest, conflict, objectNotFound } from '../http/errors.js';
import { created, noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { ownProperties } from '../kernel/references.js';
import { isGuid } from '../../../core/values/guid.js';
import { isObject } from '../../../core/values/is-object.js';
import { listItems, selected } from '../kernel/item-list.js';
import { odataLimits, type QueryRules } from '../odata/index.js';
import type { Body } from '../store/objects.js';
import { findRoleTemplate, roleTemplates } from './role-templates.js';
import { roleReadPermissions, roleWritePermissions, roleWriteRoles } from './role-type.js';

const collection = 'roleDefinitions';
const read = permit(roleReadPermissions);
const write = permit(roleWritePermissions, { roles: roleWriteRoles });
const text = { type: 'string', default: ['eq', 'in', 'startsWith'] } as const;
const flag = { type: 'boolean', default: ['eq'] } as const;
const rules: QueryRules = {
  resource: 'UnifiedRoleDefinition',
  properties: { id: text, displayName: text, templateId: text, isBuiltIn: flag, isEnabled: flag },
  relationships: {},
};
const settable = ['description', 'displayName', 'isEnabled', 'resourceScopes', 'rolePermissions', 'templateId', 'version'];

/** Role definitions: the built-in ones by their template id, and custom ones. */
export function roleDefinitionRoutes(router: Router): void {
  const path = '/roleManagement/directory/roleDefinitions';
  router.on('GET', path, read, async (request) => {
    return listItems(
      request,
      'roleManagement/directory/roleDefinitions',
      await allDefinitions(request.directory),
      rules,
      odataLimits.top.maximum,
    );
  });
  router.on('GET', `${path}/{id}`, read, async (request) => {
    const { select } = request.options;
    const definition = await requireDefinition(request.directory, request.parameter('id'));
    return ok({ '@odata.context': `${contextOf(request)}/$entity`, ...(select ? selected(definition, select) : definition) });
  });
  router.on('POST', path, write, async (request) => {
    const values = checked(request.json());
    if (typeof values['displayName'] !== 'string' || values['displayName'] === '')
      throw badRequest("A value is required for property 'displayName' of resource 'unifiedRoleDefinition'.", 'displayName');
    const id = isGuid(values['templateId']) ? values['templateId'].toLowerCase() : randomUUID();
    const body: Record<string, unknown> = {
      description: null,
      isEnabled: true,
      resourceScopes: ['/'],
      rolePermissions: [],
      version: null,
      ...values,
      templateId: id,
    };
    await request.directory.sql.write(async () => {
      if (findRoleTemplate(id) ?? (await request.directory.items.get(collection, '', id)))
        throw conflict('templateId', 'Another object with the same value for property templateId already exists.');
      await request.directory.items.put(collection, '', id, body, String(body['displayName']));
    });
    return created({ '@odata.context': `${contextOf(request)}/$entity`, ...shown(id, body) }, `${request.base}${path}/${id}`);
  });
  router.on('PATCH', `${path}/{id}`, write, async (request) => {
    const values = checked(request.json());
    await request.directory.sql.write(async () => {
      const { id, body } = await requireCustom(request);
      const next: Record<string, unknown> = { ...body, ...values };
      await request.directory.items.put(collection, '', id, next, String(next['displayName']));
    });
    return noContent;
  });
  router.on('DELETE', `${path}/{id}`, write, async (request) => {
    await request.directory.sql.write(async () => {
      const { id } = await requireCustom(request);
      const used = (await request.directory.items.list('roleAssignments', '')).some(({ body }) => body['roleDefinitionId'] === id);
      if (used) throw badRequest('A role definition that is assigned cannot be deleted.');
      await request.directory.items.remove(collection, '', id);
    });
    return noContent;
  });
}

/** A definition by id, built-in or custom. @throws DirectoryError 404. */
export async function requireDefinition(directory: Directory, id: string): Promise<Record<string, unknown>> {
  const definition = (await allDefinitions(directory)).find((each) => each['id'] === id.toLowerCase());
  if (!definition) throw objectNotFound(id);
  return definition;
}

async function allDefinitions(directory: Directory): Promise<Record<string, unknown>[]> {
  const builtIn = roleTemplates.map(({ id, displayName, description }) => ({
    id,
    description,
    displayName,
    isBuiltIn: true,
    isEnabled: true,
    resourceScopes: ['/'],
    templateId: id,
    version: '1',
    rolePermissions: [{ allowedResourceActions: ['microsoft.directory/*/read'], condition: null }],
  }));
  const custom = (await directory.items.list(collection, '')).map(({ id, body }) => shown(id, body));
  return [...builtIn, ...custom];
}

async function requireCustom(request: DirectoryRequest): Promise<{ id: string; body: Body }> {
  const id = request.parameter('id').toLowerCase();
  if (findRoleTemplate(id)) throw badRequest('A built-in role definition cannot be changed or deleted.');
  const item = await request.directory.items.get(collection, '', id);
  if (!item) throw objectNotFound(id);
  return item;
}

function checked(body: Body): Record<string, unknown> {
  const values = ownProperties(body);
  delete values['id'];
  delete values['isBuiltIn'];
  const unknown = Object.keys(values).find((name) => !settable.includes(name));
  if (unknown !== undefined) throw badRequest(`The property '${unknown}' does not exist on type 'unifiedRoleDefinition'.`, unknown);
  const permissions = values['rolePermissions'];
  const valid =
    permissions === undefined ||
    (Array.isArray(permissions) && permissions.every((each) => isObject(each) && Array.isArray(each['allowedResourceActions'])));
  if (!valid)
    throw badRequest(
      "Invalid value specified for property 'rolePermissions': a list with allowedResourceActions is expected.",
      'rolePermissions',
    );
  return values;
}

function shown(id: string, body: Body): Record<string, unknown> {
  return { id, ...body, isBuiltIn: false };
}

function contextOf(request: DirectoryRequest): string {
  return `${request.base}/$metadata#roleManagement/directory/roleDefinitions`;
}
