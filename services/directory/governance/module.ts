import { randomUUID } from 'node:crypto';
import { permit } from '../authorization/access.js';
import type { DirectoryModule } from '../directory-module.js';
import { badRequest, objectNotFound } from '../http/errors.js';
import { created, noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { wholeSeconds } from '../kernel/instant.js';
import { listItems } from '../kernel/item-list.js';
import { base, orderable } from '../odata/property-rules.js';
import type { Item } from '../store/items.js';
import { inviteGuest } from './invitations.js';

/** Things of the tenant that are kept as they are sent, and don't decide anything here. */
interface KeptCollection {
  readonly path: string;
  /** Permissions of which a caller needs one. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly required: readonly string[];
  /** Types of which a body must name one in `@odata.type`. */
  readonly subtypes?: readonly string[];
}

const conditionalAccess = {
  read: ['Policy.Read.All', 'Policy.ReadWrite.ConditionalAccess'],
  write: ['Policy.ReadWrite.ConditionalAccess'],
};
const entitlement = {
  read: ['EntitlementManagement.Read.All', 'EntitlementManagement.ReadWrite.All'],
  write: ['EntitlementManagement.ReadWrite.All'],
};
const userFlow = { read: ['IdentityUserFlow.Read.All', 'IdentityUserFlow.ReadWrite.All'], write: ['IdentityUserFlow.ReadWrite.All'] };

const kept: readonly KeptCollection[] = [
  { path: '/identity/conditionalAccess/policies', ...conditionalAccess, required: ['displayName', 'state', 'conditions'] },
  {
    path: '/identity/conditionalAccess/namedLocations',
    ...conditionalAccess,
    required: ['displayName'],
    subtypes: ['ipNamedLocation', 'countryNamedLocation'],
  },
  ...['catalogs', 'accessPackageCatalogs', 'accessPackages', 'accessPackageAssignmentPolicies', 'assignmentPolicies'].map((name) => ({
    ...{ path: `/identityGovernance/entitlementManagement/${name}`, ...entitlement, required: ['displayName'] },
  })),
  { path: '/identity/userFlowAttributes', ...userFlow, required: ['displayName', 'dataType'] },
];

/** Who may sign in from where, access packages, attributes of user flows: kept for those who declare them; and invitations of guests. */
export const governanceModule: DirectoryModule = {
  routes(router) {
    for (const collection of kept) keptRoutes(router, collection);
    router.on('POST', '/invitations', permit(['User.Invite.All', 'User.ReadWrite.All', 'Directory.ReadWrite.All']), inviteGuest);
  },
};

const queryRules = { resource: 'Policy', properties: { ...base, displayName: orderable(['eq', 'in', 'startsWith']) }, relationships: {} };

function keptRoutes(router: Router, collection: KeptCollection): void {
  const { path } = collection;
  const [read, write] = [permit(collection.read), permit(collection.write)];
  const one = `${path}/{id}`;
  const context = (request: DirectoryRequest): string => `${request.base}/$metadata#${path.slice(1)}`;
  const find = async (request: DirectoryRequest): Promise<Item> => {
    const id = request.parameter('id').toLowerCase();
    const item = await request.directory.items.get(path, '', id);
    if (item === undefined) throw objectNotFound(id);
    return item;
  };
  router.on('GET', path, read, async (request) =>
    listItems(request, path.slice(1), (await request.directory.items.list(path, '')).map(shown), queryRules),
  );
  router.on('GET', one, read, async (request) => ok({ '@odata.context': `${context(request)}/$entity`, ...shown(await find(request)) }));
  router.on('POST', path, write, async (request) => {
    const body = checked(request, collection);
    for (const name of collection.required)
      if ((body[name] ?? null) === null) throw badRequest(`A value is required for property '${name}'.`, name);
    const now = wholeSeconds(request.directory.clock.now());
    const item = await request.directory.items.put(path, '', randomUUID(), { ...body, createdDateTime: now, modifiedDateTime: now });
    return created({ '@odata.context': `${context(request)}/$entity`, ...shown(item) }, `${request.base}${path}/${item.id}`);
  });
  router.on('PATCH', one, write, async (request) => {
    const body = checked(request, collection);
    await request.directory.sql.write(async () => {
      const item = await find(request);
      const modifiedDateTime = wholeSeconds(request.directory.clock.now());
      await request.directory.items.put(path, '', item.id, { ...item.body, ...body, modifiedDateTime });
    });
    return noContent;
  });
  router.on('DELETE', one, write, async (request) => {
    const { id } = await find(request);
    await request.directory.items.remove(path, '', id);
    return noContent;
  });
}

function shown({ id, body }: Item): Record<string, unknown> {
  return { id, ...body };
}

/** A body without what only the service sets. @throws DirectoryError 400. */
function checked(request: DirectoryRequest, { subtypes }: KeptCollection): Record<string, unknown> {
  const { id: _id, createdDateTime: _created, modifiedDateTime: _modified, ...body } = request.json();
  const prefix = `#${request.directory.namespace}.`;
  const types = subtypes?.map((name) => `${prefix}${name}`);
  if (types !== undefined && !types.includes(String(body['@odata.type'])))
    throw badRequest(`'@odata.type' must be ${types.join(' or ')}.`, '@odata.type');
  return body;
}
