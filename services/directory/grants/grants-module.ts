import { randomBytes } from 'node:crypto';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { applicationType } from '../applications/application-type.js';
import { permit } from '../authorization/access.js';
import type { Directory } from '../kernel/directory.js';
import type { DirectoryModule } from '../directory-module.js';
import { badRequest, DirectoryError, invalidProperty } from '../http/answers.js';
import type { Router } from '../http/router.js';
import {
  addRecordOperations,
  recordListReply,
  presentRecord,
} from '../kernel/record-operations.js';
import { requireByPathKey, requireObject } from '../kernel/single-object.js';
import { sameRules, type QueryRules } from '../odata/property-rules.js';
import { servicePrincipalType } from '../service-principals/service-principal-type.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import type { ReferringRecords } from '../store/referring-records.js';
import { addAppRoleAssignmentRoutes, seedAssignments } from './app-role-assignments.js';
import { referringAssignments } from './assignment-store.js';

/** App role assignments and delegated permission grants. */
export const grantsModule: DirectoryModule = {
  routes(router) {
    addAppRoleAssignmentRoutes(router);
    addPermissionGrantRoutes(router);
  },
  start(directory) {
    const { referringRecords } = directory.deletion;
    referringRecords.add('appRoleAssignments', referringAssignments(directory));
    referringRecords.add(grantCollection, referringGrants(directory));
  },
  async seedReferences(directory, { servicePrincipals = [] }) {
    for (const entry of servicePrincipals) await seedAssignments(directory, entry);
  },
};

const grantCollection = 'oauth2PermissionGrants';
const read = permit([
  ...applicationType.readPermissions,
  'DelegatedPermissionGrant.Read.All',
  'DelegatedPermissionGrant.ReadWrite.All',
]);
const write = permit(['DelegatedPermissionGrant.ReadWrite.All', 'Directory.ReadWrite.All'], {
  roles: [
    'globalAdministrator',
    'applicationAdministrator',
    'cloudApplicationAdministrator',
    'privilegedRoleAdministrator',
  ],
});
const queryRules: QueryRules = {
  resource: 'OAuth2PermissionGrant',
  properties: {
    ...sameRules(
      { type: 'string', operators: ['eq', 'in'] },
      'id',
      'clientId',
      'consentType',
      'resourceId',
      'scope',
    ),
    principalId: { type: 'string', operators: ['eq', 'in', 'eq null'] },
  },
};

/** Adds the operations of delegated permission grants, for all users or for one. */
export function addPermissionGrantRoutes(router: Router): void {
  addRecordOperations(router, {
    path: '/oauth2PermissionGrants',
    read,
    write,
    queryRules,
    create: ({ directory }, values) => createGrant(directory, values),
    change: async ({ directory }, { id, body }, { scope, ...otherChanges }) => {
      const forbiddenChange = Object.entries(otherChanges).find(
        ([name, value]) => (value ?? null) !== (body[name] ?? null),
      );
      if (forbiddenChange)
        throw badRequest(
          `The property '${forbiddenChange[0]}' cannot be changed; only scope can.`,
          forbiddenChange[0],
        );
      if (scope !== undefined && typeof scope !== 'string')
        throw invalidProperty('scope', 'a string is expected');
      await directory.records.put(
        grantCollection,
        '',
        id,
        { ...body, ...omitUndefined({ scope }) },
        id,
      );
    },
    allowRemove: true,
  });
  router.on('GET', '/servicePrincipals/{id}/oauth2PermissionGrants', read, async (request) => {
    const principal = await requireByPathKey(request, servicePrincipalType);
    const grants = (await request.directory.records.list(grantCollection, '')).filter(
      ({ body }) => body['clientId'] === principal.id,
    );
    return recordListReply(
      request,
      `servicePrincipals('${principal.id}')/oauth2PermissionGrants`,
      grants.map(presentRecord),
      queryRules,
    );
  });
}

async function createGrant(directory: Directory, values: Body): Promise<StoredRecord> {
  const { clientId, resourceId, consentType, principalId = null, scope = '' } = values;
  if (typeof clientId !== 'string' || typeof resourceId !== 'string')
    throw badRequest("Values are required for properties 'clientId' and 'resourceId'.", 'clientId');
  if (typeof scope !== 'string') throw invalidProperty('scope', 'a string is expected');
  if (consentType !== 'AllPrincipals' && consentType !== 'Principal')
    throw invalidProperty('consentType', 'AllPrincipals or Principal is expected');
  if ((consentType === 'Principal') !== (typeof principalId === 'string'))
    throw badRequest(
      "The property 'principalId' is required with the consentType Principal, and not allowed with others.",
      'principalId',
    );
  const client = await requireObject(directory, clientId, 'servicePrincipal');
  const resource = await requireObject(directory, resourceId, 'servicePrincipal');
  const principal =
    typeof principalId === 'string'
      ? (await requireObject(directory, principalId, 'user')).id
      : null;
  const body = {
    clientId: client.id,
    consentType,
    principalId: principal,
    resourceId: resource.id,
    scope,
  };
  const isDuplicate = (await directory.records.list(grantCollection, '')).some(
    ({ body: other }) =>
      other['clientId'] === client.id &&
      other['resourceId'] === resource.id &&
      other['principalId'] === principal,
  );
  if (isDuplicate)
    throw new DirectoryError(
      409,
      'Request_MultipleObjectsWithSameKeyValue',
      'Permission entry already exists.',
    );
  const id = randomBytes(32).toString('base64url');
  return directory.records.put(grantCollection, '', id, body, id);
}

/** The grants as records that are deleted and restored with client, resource and user. */
function referringGrants({ records }: Directory): ReferringRecords {
  const objectIdsOf = (body: Body): readonly unknown[] => [
    body['clientId'],
    body['resourceId'],
    body['principalId'],
  ];
  return {
    list: async (objectId) =>
      (await records.list(grantCollection, '')).filter(({ body }) =>
        objectIdsOf(body).includes(objectId),
      ),
    objectIdsOf,
    put: ({ id, body }) => records.put(grantCollection, '', id, body, id),
    remove: ({ id }) => records.remove(grantCollection, '', id),
  };
}
