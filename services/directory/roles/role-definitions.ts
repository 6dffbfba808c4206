import { randomUUID } from 'node:crypto';
import { badRequest, objectConflict, invalidProperty } from '../http/answers.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { isGuid } from '../../../core/values/guid.js';
import { isObject } from '../../../core/values/is-object.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import { odataLimits, type QueryRules } from '../odata/index.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import { roleTemplates } from './role-templates.js';
import { roleReadAccess, roleWriteAccess } from './directory-roles.js';
import { propertyTypes, requireKnownProperties } from '../kernel/body-properties.js';
import type { Property } from '../kernel/object-type.js';

const collection = 'roleDefinitions';
const textRule = { type: 'string', operators: ['eq', 'in', 'startsWith'] } as const;
const booleanRule = { type: 'boolean', operators: ['eq'] } as const;
const queryRules: QueryRules = {
  resource: 'UnifiedRoleDefinition',
  properties: {
    id: textRule,
    displayName: textRule,
    templateId: textRule,
    isBuiltIn: booleanRule,
    isEnabled: booleanRule,
  },
};
const settableProperties: Readonly<
  Record<string, { readonly type: Property['type']; readonly notNull?: true }>
> = {
  description: { type: 'string' },
  displayName: { type: 'string', notNull: true },
  isEnabled: { type: 'boolean', notNull: true },
  resourceScopes: { type: 'strings', notNull: true },
  rolePermissions: { type: 'objects', notNull: true },
  templateId: { type: 'string' },
  version: { type: 'string' },
};

/**
 * Adds the operations of role definitions: built-in ones, whose id is that of their template, and
 * custom ones.
 */
export function addRoleDefinitionRoutes(router: Router): void {
  addRecordOperations(router, {
    path: '/roleManagement/directory/roleDefinitions',
    read: roleReadAccess,
    write: roleWriteAccess,
    queryRules,
    pageSize: odataLimits.top.maximum,
    list: ({ directory }) => allRoleDefinitions(directory),
    find: ({ directory }, id) => findRoleDefinition(directory, id),
    create: async ({ directory }, input) => {
      const values = parseDefinition(input);
      if (typeof values['displayName'] !== 'string' || values['displayName'] === '')
        throw badRequest(
          "A value is required for property 'displayName' of resource 'unifiedRoleDefinition'.",
          'displayName',
        );
      const id = isGuid(values['templateId']) ? values['templateId'].toLowerCase() : randomUUID();
      if (await findRoleDefinition(directory, id))
        throw objectConflict(
          'Another object with the same value for property templateId already exists.',
          'templateId',
        );
      const defaults = {
        description: null,
        isEnabled: true,
        resourceScopes: ['/'],
        rolePermissions: [],
        version: null,
      };
      const body = { ...defaults, ...values, templateId: id, isBuiltIn: false };
      return directory.records.put(collection, '', id, body, values['displayName']);
    },
    change: async ({ directory }, definition, input) => {
      const { templateId, ...values } = parseDefinition(input);
      requireCustom(definition);
      if (values['displayName'] === '') throw invalidProperty('displayName', 'it cannot be empty');
      if (templateId !== undefined && String(templateId).toLowerCase() !== definition.id)
        throw badRequest("The property 'templateId' cannot be changed.", 'templateId');
      const next: Body = { ...definition.body, ...values };
      await directory.records.put(collection, '', definition.id, next, String(next['displayName']));
    },
    onRemove: async ({ directory }, definition) => {
      requireCustom(definition);
      const isUsed = (await directory.records.list('roleAssignments', '')).some(
        ({ body }) => body['roleDefinitionId'] === definition.id,
      );
      if (isUsed) throw badRequest('A role definition that is assigned cannot be deleted.');
    },
  });
}

/** A definition by id, built-in or custom. */
export async function findRoleDefinition(
  directory: Directory,
  id: string,
): Promise<StoredRecord | undefined> {
  return (await allRoleDefinitions(directory)).find((each) => each.id === id.toLowerCase());
}

/** All definitions, the built-in ones first. */
export async function allRoleDefinitions({ records }: Directory): Promise<readonly StoredRecord[]> {
  const custom = (await records.list(collection, '')).map(({ id, body }) => ({
    id,
    body: { ...body, isBuiltIn: false },
  }));
  return [...builtInDefinitions, ...custom];
}

const builtInDefinitions: readonly StoredRecord[] = roleTemplates.map(
  ({ id, displayName, description }) => ({
    id,
    body: {
      description,
      displayName,
      isBuiltIn: true,
      isEnabled: true,
      resourceScopes: ['/'],
      templateId: id,
      version: '1',
      rolePermissions: [
        { allowedResourceActions: ['microsoft.directory/*/read'], condition: null },
      ],
    },
  }),
);

function requireCustom({ body }: StoredRecord): void {
  if (body['isBuiltIn'] === true)
    throw badRequest('A built-in role definition cannot be changed or deleted.');
}

/** The settable values of a body. @throws DirectoryError 400. */
function parseDefinition({ id: _id, isBuiltIn: _isBuiltIn, ...values }: Body): Body {
  requireKnownProperties(values, Object.keys(settableProperties), 'a role definition');
  for (const [name, { type, notNull }] of Object.entries(settableProperties)) {
    const value = values[name];
    if (value === undefined || (value === null && !notNull)) continue;
    const { matches, expectation } = propertyTypes[type];
    if (!matches(value)) throw invalidProperty(name, `${expectation} is expected`);
  }
  const permissions = values['rolePermissions'];
  const isValid =
    permissions === undefined ||
    (Array.isArray(permissions) &&
      permissions.every((each) => isObject(each) && Array.isArray(each['allowedResourceActions'])));
  if (!isValid)
    throw invalidProperty('rolePermissions', 'a list with allowedResourceActions is expected');
  return values;
}
