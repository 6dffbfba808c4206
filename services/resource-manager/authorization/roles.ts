import { isGuid } from '../../../core/values/guid.js';
import { ArmError, badRequest, conflict, invalidContent } from '../errors.js';
import { genericKind } from '../generic/generic-kind.js';
import { asObject, omit, nonEmptyText } from '../json.js';
import type { ResourceKind } from '../kind.js';
import type { ResourcePath } from '../path.js';
import { type Json, resourceKey, type ResourceStore, type StoredResource } from '../store.js';
import { builtInRoles } from './built-in-roles.js';
import { isWithin } from './locks.js';

const genericDefinition = genericKind('Microsoft.Authorization/roleDefinitions');
const genericAssignment = genericKind('Microsoft.Authorization/roleAssignments');

/** Role definitions: the cloud's built-in ones and a subscription's own. */
export const roleDefinition: ResourceKind = {
  ...genericDefinition,
  isProxyResource: true,
  putStatus: 201,
  checkName(name) {
    if (!isGuid(name))
      throw badRequest(
        'InvalidRoleDefinitionId',
        `The role definition ID '${name}' is not valid: it must be a GUID.`,
      );
  },
  async prepareWrite(body, context) {
    const { path, store } = context;
    requireCustomRole(path.name);
    const roleName = nonEmptyText(asObject(body['properties'])?.['roleName']);
    if (roleName === undefined) throw invalidContent("'properties.roleName' is missing.");
    const roles = await listRoles(store, path.subscription);
    if (
      roles.some(
        (other) =>
          equalsIgnoringCase(other.properties['roleName'], roleName) &&
          resourceKey(other.id) !== resourceKey(path.id),
      )
    )
      throw conflict(
        'RoleDefinitionWithSameNameExists',
        'A custom role with the same name already exists in this directory. Use a different name.',
      );
    return genericDefinition.prepareWrite(body, context);
  },
  presentProperties: ({ properties, createdAt, changedAt }) => ({
    type: 'CustomRole',
    ...properties,
    createdOn: createdAt,
    updatedOn: changedAt,
  }),
  async beforeDelete({ id, name, subscription }, { store }) {
    requireCustomRole(name);
    const role = name.toLowerCase();
    const isAssigned = (await store.list({ subscription, type: genericAssignment.type })).some(
      ({ properties }) => lowerCaseName(properties['roleDefinitionId']) === role,
    );
    if (isAssigned)
      throw badRequest(
        'RoleDefinitionHasAssignments',
        `There are existing role assignments referencing the role '${id}'.`,
      );
  },
};

/** Role assignments. */
export const roleAssignment: ResourceKind = {
  ...genericAssignment,
  isProxyResource: true,
  checkName(name) {
    if (!isGuid(name))
      throw badRequest(
        'InvalidRoleAssignmentId',
        `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`,
      );
  },
  async prepareWrite(body, context) {
    const { path, previous, store, platform } = context;
    const settings = asObject(body['properties']) ?? {};
    const [role, principal] = ['roleDefinitionId', 'principalId'].map((name) =>
      nonEmptyText(settings[name]),
    );
    if (role === undefined || principal === undefined)
      throw invalidContent("'properties' needs 'roleDefinitionId' and 'principalId'.");
    if (
      !(await listRoles(store, path.subscription)).some(
        ({ name }) => name.toLowerCase() === lowerCaseName(role),
      )
    )
      throw badRequest(
        'RoleDefinitionDoesNotExist',
        `The specified role definition with ID '${lowerCaseName(role)}' does not exist.`,
      );
    const grantsSame = (other: Json): boolean =>
      lowerCaseName(other['roleDefinitionId']) === lowerCaseName(role) &&
      equalsIgnoringCase(other['principalId'], principal);
    if (previous !== undefined && !grantsSame(previous.properties))
      throw badRequest(
        'RoleAssignmentUpdateNotPermitted',
        'Tenant ID, application ID, principal ID, and scope are not allowed to be updated.',
      );
    const assignments = await store.list({
      subscription: path.subscription,
      type: genericAssignment.type,
    });
    const duplicate = assignments.find(
      (other) =>
        resourceKey(other.id) !== resourceKey(path.id) &&
        resourceKey(scopeOf(other)) === resourceKey(scopeOf(path)) &&
        grantsSame(other.properties),
    );
    if (duplicate !== undefined)
      throw conflict(
        'RoleAssignmentExists',
        `The role assignment already exists. The ID of the existing role assignment is ${duplicate.name.replaceAll('-', '')}.`,
      );
    const principalType =
      nonEmptyText(settings['principalType']) ??
      (await platform.principalTypeOf?.(principal)) ??
      'ServicePrincipal';
    const properties = { ...omit(settings, ['scope', 'createdOn', 'updatedOn']), principalType };
    return genericAssignment.prepareWrite({ ...body, properties }, context);
  },
  presentProperties: (resource) => ({
    ...resource.properties,
    scope: scopeOf(resource),
    createdOn: resource.createdAt,
    updatedOn: resource.changedAt,
  }),
};

/**
 * Where a resource is stored: role definitions belong to their subscription, whatever scope a
 * request names.
 */
export function withRoleAtSubscription(path: ResourcePath): ResourcePath {
  if (!equalsIgnoringCase(path.type, roleDefinition.type)) return path;
  const { parent: _parent, extension: _extension, ...pathOfRole } = path;
  return { ...pathOfRole, group: '', id: roleId(path.subscription, path.name) };
}

function roleId(subscription: string, name: string): string {
  return `${subscription === '' ? '' : `/subscriptions/${subscription}`}/providers/${roleDefinition.type}/${name}`;
}

/** When the cloud created its first built-in roles. */
const builtInRoleDate = '2015-02-02T21:55:09.880Z';

/** A built-in role as a resource of a subscription; undefined for any other id. */
export function builtInRoleResource(
  subscription: string,
  name: string,
): StoredResource | undefined {
  const role = builtInRoles.find(({ id }) => id === name.toLowerCase());
  if (role === undefined) return undefined;
  const { id, name: roleName, actions, dataActions, notActions } = role;
  return {
    id: roleId(subscription, id),
    type: roleDefinition.type,
    name: id,
    subscription,
    group: '',
    properties: {
      roleName,
      type: 'BuiltInRole',
      description: '',
      assignableScopes: ['/'],
      permissions: [{ actions, notActions, dataActions, notDataActions: [] }],
    },
    setByService: {},
    secrets: [],
    createdAt: builtInRoleDate,
    changedAt: builtInRoleDate,
  };
}

/** The built-in roles and those of a subscription. */
async function listRoles(store: ResourceStore, subscription: string): Promise<StoredResource[]> {
  const customRoles =
    subscription === '' ? [] : await store.list({ subscription, type: roleDefinition.type });
  return [
    ...builtInRoles.map(({ id }) => builtInRoleResource(subscription, id) as StoredResource),
    ...customRoles,
  ];
}

type RoleFilter = (resource: StoredResource) => boolean;

/**
 * Parses the `$filter` of a list of role definitions or of assignments at a scope.
 *
 * @throws ArmError 400 for a filter that these lists do not support.
 */
function parseFilter(filter: string | null, scope: string): RoleFilter {
  if (filter === null || filter.trim() === '') return () => true;
  // the only combination that lists of assignments support
  const [, condition] = /^\s*atscope\(\)\s+and\s+(.+)$/i.exec(filter) ?? [];
  if (condition === undefined) return parseCondition(filter, scope);
  const conditions = [parseCondition('atScope()', scope), parseCondition(condition, scope)];
  return (resource) => conditions.every((matches) => matches(resource));
}

function parseCondition(filter: string, scope: string): RoleFilter {
  const [, name, literal] =
    /^\s*(\w+)\s*(?:eq\s*|\(\s*)'((?:[^']|'')*)'\s*\)?\s*$/i.exec(filter) ?? [];
  const value = literal?.replaceAll("''", "'") ?? '';
  switch (name?.toLowerCase()) {
    case 'rolename':
      return ({ properties }) => equalsIgnoringCase(properties['roleName'], value);
    case 'type':
      return ({ properties }) => equalsIgnoringCase(properties['type'], value);
    case 'principalid':
    case 'assignedto':
      return ({ properties }) => equalsIgnoringCase(properties['principalId'], value);
  }
  if (/^\s*atscope\(\)\s*$/i.test(filter)) return (resource) => isWithin(scope, scopeOf(resource));
  const allowed =
    "roleName eq '…', type eq '…', principalId eq '…', assignedTo('…') or atScope(), also joined to one of them by and";
  throw badRequest(
    'InvalidFilterInQueryString',
    `Invalid $filter '${filter}': allowed is ${allowed}.`,
  );
}

/**
 * The roles that can be assigned at a scope, or the assignments at it, above it and below it;
 * undefined for any other type.
 */
export async function listRolesOrAssignments(
  store: ResourceStore,
  {
    subscription,
    group,
    type,
    parent,
  }: { subscription: string; group?: string; type: string; parent?: string },
  filter: string | null,
): Promise<StoredResource[] | undefined> {
  const isForRoles = equalsIgnoringCase(type, roleDefinition.type);
  if (!isForRoles && !equalsIgnoringCase(type, roleAssignment.type)) return undefined;
  const requestScope =
    group === undefined
      ? `/subscriptions/${subscription}`
      : `/subscriptions/${subscription}/resourceGroups/${group}`;
  const scope = subscription === '' ? '' : (parent ?? requestScope);
  const matches = parseFilter(filter, scope);
  const resources = isForRoles
    ? await listRoles(store, subscription)
    : await store.list({ subscription, type });
  return resources
    .filter((each) =>
      isForRoles ? isAssignableAt(each, scope) : isAboveOrBelow(scopeOf(each), scope),
    )
    .filter(matches);
}

function isAssignableAt({ properties }: StoredResource, scope: string): boolean {
  const scopes = properties['assignableScopes'];
  return (
    Array.isArray(scopes) &&
    scopes.some((each) => typeof each === 'string' && isWithin(scope, each))
  );
}

function isAboveOrBelow(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

/** The resource that an extension belongs to: the part of its id before its own provider. */
function scopeOf({ id }: { readonly id: string }): string {
  return id.slice(0, id.toLowerCase().lastIndexOf('/providers/'));
}

/** @throws ArmError 409 for a built-in role. */
function requireCustomRole(name: string): void {
  if (builtInRoleResource('', name) === undefined) return;
  throw new ArmError(
    409,
    'RoleDefinitionUpdateNotPermitted',
    `The role '${name}' is built in: it can't be changed or deleted.`,
  );
}

function equalsIgnoringCase(a: unknown, b: string): boolean {
  return typeof a === 'string' && a.toLowerCase() === b.toLowerCase();
}

/** The name at the end of an id, in lower case. */
function lowerCaseName(id: unknown): string {
  return nonEmptyText(id)?.toLowerCase().split('/').at(-1) ?? '';
}
