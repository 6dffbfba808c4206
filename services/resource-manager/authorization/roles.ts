import { isGuid } from '../../../core/values/guid.js';
import { ArmError, badRequest, conflict, unreadable } from '../errors.js';
import { genericKind } from '../generic/generic-kind.js';
import { objectOf, omit, nonEmptyText } from '../json.js';
import type { ResourceKind } from '../kind.js';
import type { ResourcePath } from '../path.js';
import { type Json, resourceKey, type ResourceStore, type StoredResource } from '../store.js';
import { builtInRoles } from './built-in-roles.js';
import { isWithin } from './locks.js';

const definitions = genericKind('Microsoft.Authorization/roleDefinitions');
const assignments = genericKind('Microsoft.Authorization/roleAssignments');

/** Role definitions: the cloud's built-in ones and a subscription's own. */
export const roleDefinition: ResourceKind = {
  ...definitions,
  child: true,
  putStatus: 201,
  checkName(name) {
    if (!isGuid(name))
      throw badRequest(
        'InvalidRoleDefinitionId',
        `The role definition ID '${name}' is not valid: it must be a GUID.`,
      );
  },
  async declare(body, context) {
    const { path, store } = context;
    requireOwn(path.name);
    const roleName = nonEmptyText(objectOf(body['properties'])?.['roleName']);
    if (roleName === undefined) throw unreadable("'properties.roleName' is missing.");
    const byName = await rolesOf(store, path.subscription);
    if (
      byName.some(
        (other) =>
          sameText(other.properties['roleName'], roleName) &&
          resourceKey(other.id) !== resourceKey(path.id),
      )
    )
      throw conflict(
        'RoleDefinitionWithSameNameExists',
        'A custom role with the same name already exists in this directory. Use a different name.',
      );
    return definitions.declare(body, context);
  },
  present: ({ properties, createdAt, changedAt }) => ({
    type: 'CustomRole',
    ...properties,
    createdOn: createdAt,
    updatedOn: changedAt,
  }),
  async beforeDelete({ id, name, subscription }, { store }) {
    requireOwn(name);
    const role = name.toLowerCase();
    const used = (await store.list({ subscription, type: assignments.type })).some(
      ({ properties }) => lastOf(properties['roleDefinitionId']) === role,
    );
    if (used)
      throw badRequest(
        'RoleDefinitionHasAssignments',
        `There are existing role assignments referencing the role '${id}'.`,
      );
  },
};

/** Role assignments. */
export const roleAssignment: ResourceKind = {
  ...assignments,
  child: true,
  checkName(name) {
    if (!isGuid(name))
      throw badRequest(
        'InvalidRoleAssignmentId',
        `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`,
      );
  },
  async declare(body, context) {
    const { path, previous, store, hosting } = context;
    const settings = objectOf(body['properties']) ?? {};
    const [role, principal] = ['roleDefinitionId', 'principalId'].map((name) =>
      nonEmptyText(settings[name]),
    );
    if (role === undefined || principal === undefined)
      throw unreadable("'properties' needs 'roleDefinitionId' and 'principalId'.");
    if (
      !(await rolesOf(store, path.subscription)).some(
        ({ name }) => name.toLowerCase() === lastOf(role),
      )
    )
      throw badRequest(
        'RoleDefinitionDoesNotExist',
        `The specified role definition with ID '${lastOf(role)}' does not exist.`,
      );
    const grantsSame = (other: Json): boolean =>
      lastOf(other['roleDefinitionId']) === lastOf(role) &&
      sameText(other['principalId'], principal);
    if (previous !== undefined && !grantsSame(previous.properties))
      throw badRequest(
        'RoleAssignmentUpdateNotPermitted',
        'Tenant ID, application ID, principal ID, and scope are not allowed to be updated.',
      );
    const others = await store.list({ subscription: path.subscription, type: assignments.type });
    const duplicate = others.find(
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
      (await hosting.principalTypeOf?.(principal)) ??
      'ServicePrincipal';
    const properties = { ...omit(settings, ['scope', 'createdOn', 'updatedOn']), principalType };
    return assignments.declare({ ...body, properties }, context);
  },
  present: (resource) => ({
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
export function storagePath(path: ResourcePath): ResourcePath {
  if (!sameText(path.type, roleDefinition.type)) return path;
  const { parent: _parent, extension: _extension, ...rest } = path;
  return { ...rest, group: '', id: roleId(path.subscription, path.name) };
}

function roleId(subscription: string, name: string): string {
  return `${subscription === '' ? '' : `/subscriptions/${subscription}`}/providers/${roleDefinition.type}/${name}`;
}

/** A built-in role as a resource of a subscription; undefined for any other id. */
export function builtInRole(subscription: string, name: string): StoredResource | undefined {
  const role = builtInRoles.find(({ id }) => id === name.toLowerCase());
  if (role === undefined) return undefined;
  const { id, name: roleName, actions, dataActions, notActions } = role;
  const since = '2015-02-02T21:55:09.880Z';
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
    decided: {},
    secrets: [],
    createdAt: since,
    changedAt: since,
  };
}

/** The built-in roles and those of a subscription. */
async function rolesOf(store: ResourceStore, subscription: string): Promise<StoredResource[]> {
  const own =
    subscription === '' ? [] : await store.list({ subscription, type: roleDefinition.type });
  return [...builtInRoles.map(({ id }) => builtInRole(subscription, id) as StoredResource), ...own];
}

/**
 * Parses the `$filter` of a list of role definitions or of assignments at a scope.
 *
 * @throws ArmError 400 for a filter that these lists do not support.
 */
function readFilter(filter: string | null, scope: string): (resource: StoredResource) => boolean {
  if (filter === null || filter.trim() === '') return () => true;
  const [, name, literal] =
    /^\s*(\w+)\s*(?:eq\s*|\(\s*)'((?:[^']|'')*)'\s*\)?\s*$/i.exec(filter) ?? [];
  const value = literal?.replaceAll("''", "'") ?? '';
  switch (name?.toLowerCase()) {
    case 'rolename':
      return ({ properties }) => sameText(properties['roleName'], value);
    case 'type':
      return ({ properties }) => sameText(properties['type'], value);
    case 'principalid':
    case 'assignedto':
      return ({ properties }) => sameText(properties['principalId'], value);
  }
  if (/^\s*atscope\(\)\s*$/i.test(filter)) return (resource) => isWithin(scope, scopeOf(resource));
  const allowed = "roleName eq '…', type eq '…', principalId eq '…', assignedTo('…') or atScope()";
  throw badRequest(
    'InvalidFilterInQueryString',
    `Invalid $filter '${filter}': allowed is ${allowed}.`,
  );
}

/**
 * The roles that can be assigned at a scope, or the assignments at it, above it and below it;
 * undefined for any other type.
 */
export async function listAtScope(
  store: ResourceStore,
  {
    subscription,
    group,
    type,
    parent,
  }: { subscription: string; group?: string; type: string; parent?: string },
  filter: string | null,
): Promise<StoredResource[] | undefined> {
  const isRoles = sameText(type, roleDefinition.type);
  if (!isRoles && !sameText(type, roleAssignment.type)) return undefined;
  const around =
    group === undefined
      ? `/subscriptions/${subscription}`
      : `/subscriptions/${subscription}/resourceGroups/${group}`;
  const scope = subscription === '' ? '' : (parent ?? around);
  const matches = readFilter(filter, scope);
  const resources = isRoles
    ? await rolesOf(store, subscription)
    : await store.list({ subscription, type });
  return resources
    .filter((each) => (isRoles ? isAssignableAt(each, scope) : isAround(scopeOf(each), scope)))
    .filter(matches);
}

function isAssignableAt({ properties }: StoredResource, scope: string): boolean {
  const scopes = properties['assignableScopes'];
  return Array.isArray(scopes) && scopes.some((each) => isWithin(scope, String(each)));
}

function isAround(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

/** The resource that an extension belongs to: the part of its id before its own provider. */
function scopeOf({ id }: { readonly id: string }): string {
  return id.slice(0, id.toLowerCase().lastIndexOf('/providers/'));
}

/** @throws ArmError 409 for a built-in role. */
function requireOwn(name: string): void {
  if (builtInRole('', name) === undefined) return;
  throw new ArmError(
    409,
    'RoleDefinitionUpdateNotPermitted',
    `The role '${name}' is built in: it can't be changed or deleted.`,
  );
}

function sameText(a: unknown, b: string): boolean {
  return String(a).toLowerCase() === b.toLowerCase();
}

function lastOf(id: unknown): string {
  return String(id).toLowerCase().split('/').at(-1) ?? '';
}
