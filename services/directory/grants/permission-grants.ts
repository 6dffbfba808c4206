import { randomBytes } from 'node:crypto';
import { applicationReadPermissions } from '../applications/application-type.js';
import { requireByKey } from '../applications/find-application.js';
import { permit } from '../authorization/access.js';
import { DirectoryError, badRequest, objectNotFound } from '../http/errors.js';
import { created, noContent, ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { listItems } from '../kernel/item-list.js';
import { ownProperties } from '../kernel/references.js';
import type { QueryRules } from '../odata/index.js';
import type { Item } from '../store/items.js';
import type { Body, StoredObject } from '../store/objects.js';

const collection = 'oauth2PermissionGrants';
const read = permit([...applicationReadPermissions, 'DelegatedPermissionGrant.Read.All', 'DelegatedPermissionGrant.ReadWrite.All']);
const write = permit(['DelegatedPermissionGrant.ReadWrite.All', 'Directory.ReadWrite.All'], {
  roles: ['globalAdministrator', 'applicationAdministrator', 'cloudApplicationAdministrator', 'privilegedRoleAdministrator'],
});
const text = { type: 'string', default: ['eq', 'in'] } as const;
const rules: QueryRules = {
  resource: 'OAuth2PermissionGrant',
  properties: {
    id: text,
    clientId: text,
    consentType: text,
    principalId: { type: 'string', default: ['eq', 'in', 'eq null'] },
    resourceId: text,
    scope: text,
  },
  relationships: {},
};

/** Delegated permissions that were granted for everybody or for one person. */
export function permissionGrantRoutes(router: Router): void {
  router.on('GET', '/oauth2PermissionGrants', read, (request) => listGrants(request, () => true, 'oauth2PermissionGrants'));
  router.on('POST', '/oauth2PermissionGrants', write, createGrant);
  router.on('GET', '/oauth2PermissionGrants/{id}', read, async (request) => {
    const grant = await requireGrant(request);
    return ok({ '@odata.context': `${request.base}/$metadata#oauth2PermissionGrants/$entity`, ...shown(grant) });
  });
  router.on('PATCH', '/oauth2PermissionGrants/{id}', write, async (request) => {
    const { scope, id: given, ...more } = ownProperties(request.json());
    await request.directory.sql.write(async () => {
      const { id, body } = await requireGrant(request);
      const changed = Object.entries(more).find(([name, value]) => (value ?? null) !== (body[name] ?? null));
      if (changed) throw badRequest(`The property '${changed[0]}' cannot be changed; only scope can.`, changed[0]);
      if (given !== undefined && given !== id) throw badRequest("The property 'id' is read-only and cannot be set.", 'id');
      if (scope !== undefined && typeof scope !== 'string')
        throw badRequest("Invalid value specified for property 'scope': a string is expected.", 'scope');
      await request.directory.items.put(collection, '', id, { ...body, ...(scope !== undefined && { scope }) }, id);
    });
    return noContent;
  });
  router.on('DELETE', '/oauth2PermissionGrants/{id}', write, async (request) => {
    await request.directory.sql.write(async () => {
      await request.directory.items.remove(collection, '', (await requireGrant(request)).id);
    });
    return noContent;
  });
  router.on('GET', '/servicePrincipals/{id}/oauth2PermissionGrants', read, async (request) => {
    const principal = await requireByKey(request, 'servicePrincipal');
    return listGrants(request, (body) => body['clientId'] === principal.id, `servicePrincipals('${principal.id}')/oauth2PermissionGrants`);
  });
}

async function listGrants(request: DirectoryRequest, which: (body: Body) => boolean, context: string): Promise<Reply> {
  const all = (await request.directory.items.list(collection, '')).filter(({ body }) => which(body)).map(shown);
  return listItems(request, context, all, rules);
}

async function createGrant(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { clientId, resourceId, consentType, principalId = null, scope = '' } = ownProperties(request.json());
  if (typeof clientId !== 'string' || typeof resourceId !== 'string')
    throw badRequest("Values are required for properties 'clientId' and 'resourceId'.", 'clientId');
  if (typeof scope !== 'string') throw badRequest("Invalid value specified for property 'scope': a string is expected.", 'scope');
  if (consentType !== 'AllPrincipals' && consentType !== 'Principal')
    throw badRequest("Invalid value specified for property 'consentType': AllPrincipals or Principal is expected.", 'consentType');
  if ((consentType === 'Principal') !== (typeof principalId === 'string'))
    throw badRequest("The property 'principalId' is expected with the consentType Principal, and only there.", 'principalId');
  const grant = await directory.sql.write(async () => {
    const client = await requireOf(directory, 'servicePrincipal', clientId);
    const resource = await requireOf(directory, 'servicePrincipal', resourceId);
    const principal = typeof principalId === 'string' ? (await requireOf(directory, 'user', principalId)).id : null;
    const body = { clientId: client.id, consentType, principalId: principal, resourceId: resource.id, scope };
    const same = (await directory.items.list(collection, '')).some(
      ({ body: other }) => other['clientId'] === client.id && other['resourceId'] === resource.id && other['principalId'] === principal,
    );
    if (same) throw new DirectoryError(409, 'Request_MultipleObjectsWithSameKeyValue', 'Permission entry already exists.');
    const id = randomBytes(32).toString('base64url');
    return directory.items.put(collection, '', id, body, id);
  });
  return created(
    { '@odata.context': `${request.base}/$metadata#oauth2PermissionGrants/$entity`, ...shown(grant) },
    `${request.base}/oauth2PermissionGrants/${grant.id}`,
  );
}

/** A grant goes with its client, its resource and its person. */
export async function removeGrantsOf(directory: Directory, object: StoredObject): Promise<void> {
  for (const { id, body } of await directory.items.list(collection, ''))
    if ([body['clientId'], body['resourceId'], body['principalId']].includes(object.id)) await directory.items.remove(collection, '', id);
}

async function requireOf(directory: Directory, type: string, id: string): Promise<StoredObject> {
  const object = await directory.objects.getOfType(type, id);
  if (!object) throw objectNotFound(id);
  return object;
}

async function requireGrant(request: DirectoryRequest): Promise<Item> {
  const id = request.parameter('id');
  const grant = await request.directory.items.get(collection, '', id);
  if (!grant) throw objectNotFound(id);
  return grant;
}

function shown({ id, body }: Item): Record<string, unknown> {
  return { id, ...body };
}
