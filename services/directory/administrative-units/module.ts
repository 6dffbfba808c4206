import { administrativeUnitSchema } from '../../../kinds/administrative-unit/administrative-unit.js';
import { mistakeIn } from '../../../kinds/schema/judge.js';
import { randomUUID } from 'node:crypto';
import { readersOf, writersOf } from '../authorization/access.js';
import { badRequest, invalidProperty } from '../http/errors.js';
import { created, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { createGroupFrom } from '../groups/create-group.js';
import type { DirectoryModule } from '../directory-module.js';
import { odataType, present } from '../kernel/present.js';
import { referenceOperations } from '../kernel/reference-operations.js';
import { requireObject } from '../kernel/single.js';
import { merged, standardOperations } from '../kernel/standard-operations.js';
import { requireProperties } from '../kernel/write-body.js';
import { requireUser, userReadAccess } from '../users/find-user.js';
import { removeScopedRolesOf, scopedRoleRoutes, scopedRolesOf } from './scoped-roles.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { unitQueryRules } from '../odata/tables/role.js';

const text: Property = { type: 'string', returned: 'default' };

/** A container of users, groups and devices over which roles can be held. */
const unitType: ObjectType = {
  name: 'administrativeUnit',
  collection: 'administrativeUnits',
  open: true,
  queryRules: unitQueryRules,
  readPermissions: ['AdministrativeUnit.Read.All', 'AdministrativeUnit.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All'],
  writePermissions: ['AdministrativeUnit.ReadWrite.All', 'Directory.ReadWrite.All'],
  writeRoles: ['globalAdministrator', 'privilegedRoleAdministrator'],
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

const read = readersOf(unitType);
const write = writersOf(unitType);
const memberTypes = ['user', 'group', 'device'];

/** Administrative units. They stand at `/directory/administrativeUnits`, and at `/administrativeUnits` as well. */
export const administrativeUnitsModule: DirectoryModule = {
  types: [unitType],
  routes(router) {
    for (const path of ['/directory/administrativeUnits', '/administrativeUnits']) unitRoutes(router, path);
    router.on('GET', '/users/{id}/scopedRoleMemberOf', userReadAccess, async (request) => {
      const user = await requireUser(request);
      return ok({
        ...request.context('scopedRoleMemberships'),
        value: await scopedRolesOf(request.directory, user.id),
      });
    });
  },
  start(directory) {
    directory.objects.listen({ removed: (object) => removeScopedRolesOf(directory, object) });
    return Promise.resolve();
  },
};

function unitRoutes(router: Router, path: string): void {
  standardOperations(router, {
    type: unitType,
    delta: ['unitMembers'],
    path,
    read,
    write,
    deletable: true,
    create: (_request, values) => {
      requireProperties(unitType, values, ['displayName']);
      checkUnit(values);
      return Promise.resolve({ id: randomUUID(), body: { isMemberManagementRestricted: false, ...values } });
    },
    change: (_request, current, values) => {
      checkUnit(values);
      return Promise.resolve(merged(current.body, values));
    },
  });
  referenceOperations(router, { path, type: unitType, name: 'members', relation: 'unitMembers', read, write, targets: memberTypes });
  router.on('POST', `${path}/{id}/members`, write, createMember);
  scopedRoleRoutes(router, path, read, write);
}

function checkUnit(values: Readonly<Record<string, unknown>>): void {
  for (const [name, schema] of Object.entries(administrativeUnitSchema.properties)) {
    const value = values[name] ?? undefined;
    const mistake = value === undefined ? undefined : mistakeIn(schema, value, { anyCase: true });
    if (mistake !== undefined) throw invalidProperty(name, `${mistake.words}`);
  }
}

/** Creates a group inside a unit. */
async function createMember(request: DirectoryRequest): Promise<ReturnType<typeof created>> {
  const { directory } = request;
  const body = request.json();
  const type = String(body['@odata.type'] ?? odataType(directory, 'group'));
  if (type.toLowerCase() !== odataType(directory, 'group').toLowerCase())
    throw badRequest(`Only groups can be created inside a unit, not '${type}'.`);
  const group = await directory.sql.write(async () => {
    const unit = await requireObject(request, unitType.name, request.parameter('id'));
    const made = await createGroupFrom(request, body);
    await directory.links.add(unit, 'unitMembers', made);
    return made;
  });
  const context = { ...request.context('directoryObjects/$entity') };
  return created({ ...context, ...present(directory, group, { typed: true }) }, `${request.base}/groups/${group.id}`);
}
