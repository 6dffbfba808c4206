import { randomUUID } from 'node:crypto';
import { type Answer, Call, ok, type Operation } from '../common/call.js';
import type { FoundOperation } from '../common/chassis.js';
import type { Clock } from '../common/clock.js';
import { withRoleAtSubscription } from './authorization/roles.js';
import { checkApiVersion, apiVersions } from './api-versions.js';
import { listResources, pageOfResources } from './resource-listing.js';
import { methodNotAllowed } from './errors.js';
import { resourceGroupType, presentGroup, type ResourceGroups } from './resource-groups.js';
import type { Platform } from './kind.js';
import { findResourceByName } from './global-names.js';
import { nonEmptyText } from './json.js';
import { kindOf } from './kinds/index.js';
import { deletedVault, keyVault } from './kinds/key-vault.js';
import { Namespaces } from './namespaces.js';
import { type ArmPath, type CollectionPath, parsePath, type ResourcePath } from './path.js';
import type { Resources } from './resources.js';
import type { Json, ResourceStore } from './store.js';
import { locations, presentSubscription, subscriptionIds } from './subscriptions.js';
import { tagsAfterChange, readOrChangeTags, tagsPath, type TagsPath, tagUsage } from './tags.js';
import { exportTemplate } from './export-template.js';
import type { WriteQueue } from './write-queue.js';

/** The dependencies of the routes. */
export interface ResourceManager {
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly groups: ResourceGroups;
  readonly resources: Resources;
  readonly platform: Platform;
  readonly queue: WriteQueue;
}

type RequestPath = ArmPath | TagsPath;

/** An operation with the kind of path that it serves, as `parsePath` returns it. */
interface Route extends Omit<Operation<ResourceManager>, 'handler'> {
  readonly kind: RequestPath['kind'];
  answer(path: RequestPath, call: Call<ResourceManager>): Promise<Answer>;
}

function route<Kind extends RequestPath['kind']>(
  kind: Kind,
  [method, path]: readonly [method: string, path: string],
  summary: string,
  answer: (
    path: Extract<RequestPath, { kind: Kind }>,
    call: Call<ResourceManager>,
  ) => Promise<Answer>,
): Route {
  return { kind, method, path, summary, query: { 'api-version': 'Required.' }, answer } as Route;
}

const groupPath = '/:subscription/resourceGroups/:group';
const collectionPath = `${groupPath}/providers/:namespace/:type`;
const resourcePath = `${collectionPath}/:name`;
const scopeTagsPath = `${groupPath}/providers/Microsoft.Resources/tags/default`;

/** The operations of the resource manager below `/subscriptions`. */
export const routes: readonly Route[] = [
  route(
    'subscriptions',
    ['GET', '/'],
    'List the subscriptions',
    async (_path, { runtime: { store, platform } }) =>
      listAnswer(
        (await subscriptionIds(store)).map((id) => presentSubscription(id, platform.tenantId)),
      ),
  ),
  route(
    'subscription',
    ['GET', '/:subscription'],
    'Get a subscription',
    async ({ subscription }, { runtime }) =>
      ok(presentSubscription(subscription, runtime.platform.tenantId)),
  ),
  route(
    'locations',
    ['GET', '/:subscription/locations'],
    'List the locations',
    async ({ subscription }) => listAnswer(locations(subscription)),
  ),
  route(
    'namespaces',
    ['GET', '/:subscription/providers'],
    'List the resource providers',
    async ({ subscription }, { runtime }) =>
      listAnswer(await new Namespaces(runtime.store).list(subscription)),
  ),
  route(
    'namespace',
    ['GET', '/:subscription/providers/:namespace'],
    'Get a resource provider',
    async (path, { runtime }) =>
      ok(await new Namespaces(runtime.store).get(path.subscription, path.namespace)),
  ),
  route(
    'registration',
    ['POST', '/:subscription/providers/:namespace/register'],
    'Register or unregister a resource provider',
    async ({ subscription, namespace, action }, { runtime }) =>
      ok(await new Namespaces(runtime.store).change(subscription, namespace, action)),
  ),
  route('contents', ['GET', '/:subscription/resources'], 'List resources', async (path, call) =>
    ok(await listResources(path, call, call.runtime.store)),
  ),
  route(
    'tagNames',
    ['GET', '/:subscription/tagNames'],
    'List the tags in use',
    async ({ subscription }, { runtime }) =>
      listAnswer(tagUsage(subscription, await runtime.store.list({ subscription }))),
  ),
  route(
    'groups',
    ['GET', '/:subscription/resourceGroups'],
    'List the resource groups',
    async ({ subscription }, call) =>
      ok(
        pageOfResources(
          await call.runtime.store.list({ subscription, type: resourceGroupType }),
          call,
          presentGroup,
        ),
      ),
  ),
  route('group', ['GET', groupPath], 'Get a resource group', async (path, { method, runtime }) => {
    const group = await runtime.groups.get(path);
    return method === 'HEAD' ? noContent : ok(presentGroup(group));
  }),
  route('group', ['PUT', groupPath], 'Create or update a resource group', async (path, call) => {
    const { groups, queue } = call.runtime;
    const { group, isNew } = await queue.run(() => groups.put(path, call.json()));
    return { status: isNew ? 201 : 200, body: presentGroup(group) };
  }),
  route('group', ['PATCH', groupPath], 'Change a resource group', async (path, call) => {
    const { groups, queue } = call.runtime;
    return ok(presentGroup(await queue.run(() => groups.patch(path, call.json()))));
  }),
  route(
    'group',
    ['DELETE', groupPath],
    'Delete a resource group with all that it holds',
    async (path, { runtime: { groups, queue } }) => {
      await queue.run(() => groups.delete(path));
      return { status: 200 };
    },
  ),
  route(
    'template',
    ['POST', `${groupPath}/exportTemplate`],
    'Export a resource group as a template',
    async (path, call) => {
      const { groups, resources } = call.runtime;
      await groups.get(path);
      return ok(await exportTemplate(path, call.json(), resources, call.runtime.store));
    },
  ),
  route('collection', ['GET', collectionPath], 'List the resources of a type', async (path, call) =>
    listAnswer(await listCollection(path, call)),
  ),
  route(
    'collection',
    ['POST', '/:subscription/providers/:namespace/checkNameAvailability'],
    'Ask whether a name is free',
    async (path, call) => {
      if (!/\/checknameavailability$/i.test(path.type)) throw methodNotAllowed('POST');
      return ok(await nameAvailability(path, call.json(), call.runtime));
    },
  ),
  route(
    'operation',
    ['GET', '/:subscription/providers/:namespace/locations/:location/operationStatuses/:operation'],
    'Get the state of a write',
    // Every write is complete when it is answered.
    async ({ id, name }) => ok({ id, name, status: 'Succeeded' }),
  ),
  route(
    'resource',
    ['GET', resourcePath],
    'Get a resource',
    async (path, { method, runtime: { resources } }) => {
      if (method !== 'HEAD') return ok(await resources.present(path));
      await resources.get(path);
      return noContent;
    },
  ),
  route('resource', ['PUT', resourcePath], 'Create or replace a resource', async (path, call) => {
    const { resources, queue } = call.runtime;
    const { answer, status } = await queue.run(() => resources.put(path, call.json()));
    return { status, body: answer, headers: operationHeaders(call, path) };
  }),
  route('resource', ['PATCH', resourcePath], 'Change a resource', async (path, call) => {
    const { resources, queue } = call.runtime;
    const body = await queue.run(() => resources.patch(path, call.json()));
    const status = kindOf(path.type).putStatus === 202 ? 202 : 200;
    return { status, body, headers: operationHeaders(call, path) };
  }),
  route(
    'resource',
    ['DELETE', resourcePath],
    'Delete a resource',
    async (path, { query, runtime: { resources, queue } }) => {
      return {
        status: await queue.run(() =>
          resources.delete(path, { force: query.get('force') === 'true' }),
        ),
      };
    },
  ),
  route(
    'tags',
    ['GET', scopeTagsPath],
    'Get the tags of a group or a resource',
    async (path, { runtime }) => ok(await readOrChangeTags(path, runtime)),
  ),
  ...(['PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    route(
      'tags',
      [method, scopeTagsPath],
      'Change the tags of a group or a resource',
      async (path, call) => {
        const body = method === 'DELETE' ? {} : call.json();
        const change = () =>
          readOrChangeTags(path, call.runtime, (existing) =>
            tagsAfterChange(method, body, existing),
          );
        return ok(await call.runtime.queue.run(change));
      },
    ),
  ),
  route(
    'action',
    ['POST', `${resourcePath}/:action`],
    'Act on a resource',
    async ({ resource, action }, call) => {
      const { resources, queue } = call.runtime;
      const body = await queue.run(() =>
        resources.runAction(resource, action, call.optionalJson()),
      );
      if (!kindOf(resource.type).longRunningActions?.includes(action)) return ok(body);
      // The cloud takes longer and answers 202: the `Location` header leads to the result.
      const location = `${call.origin}${String(body['id'])}?api-version=${call.query.get('api-version') ?? ''}`;
      return { status: 202, body, headers: { location, 'retry-after': '0' } };
    },
  ),
];

/** Finds the operation of a request; undefined for an unknown path. @throws ArmError 405. */
export function findRoute(
  call: Call<ResourceManager>,
): FoundOperation<ResourceManager> | undefined {
  const parsed = parsePath(call.path, call.method === 'POST' ? 'action' : 'collection');
  const path =
    parsed?.kind === 'resource' ? (tagsPath(parsed) ?? withRoleAtSubscription(parsed)) : parsed;
  if (path === undefined) return undefined;
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const route = routes.find((each) => each.kind === path.kind && each.method === method);
  if (route === undefined) throw methodNotAllowed(call.method);
  const handler = (authorized: Call<ResourceManager>): Promise<Answer> => {
    const type = requestedType(path);
    checkApiVersion(authorized.query.get('api-version'), type, supportedApiVersions(type));
    return route.answer(path, authorized);
  };
  return { operation: { ...route, handler }, call: inTenant(call) };
}

/** The call with the tenant of its token: resources are returned with its id. */
function inTenant(call: Call<ResourceManager>): Call<ResourceManager> {
  const { runtime, caller, received, params } = call;
  const { tenantId } = caller;
  if (tenantId === '' || tenantId === runtime.platform.tenantId) return call;
  const platform = { ...runtime.platform, tenantId };
  return new Call(
    { ...runtime, platform, resources: runtime.resources.withPlatform(platform) },
    caller,
    received,
    params,
  );
}

/** Deleted vaults are stored by location, and listed for all locations together. */
const deletedVaults = 'microsoft.keyvault/deletedvaults';
const deletedWorkspaces = 'microsoft.operationalinsights/deletedworkspaces';
/** How long a deleted log workspace can be recovered. */
const recoverableDays = 14;

async function listCollection(
  path: CollectionPath,
  { query, runtime }: Call<ResourceManager>,
): Promise<Json[]> {
  const { store, resources, clock } = runtime;
  if (path.type.toLowerCase() === deletedVaults)
    return resources.list({ ...path, type: deletedVault.type }, null);
  if (path.type.toLowerCase() !== deletedWorkspaces)
    return resources.list(path, query.get('$filter'));
  const since = new Date(clock.now().getTime() - recoverableDays * 24 * 3600 * 1000).toISOString();
  return store.deletedWorkspacesSince(since, path.subscription, path.group);
}

/**
 * Whether a globally unique name is free. Clients ask before they create storage accounts,
 * registries and key vaults, of which deleted ones keep their names.
 */
async function nameAvailability(
  { subscription }: CollectionPath,
  body: Json,
  { store, resources }: ResourceManager,
): Promise<Json> {
  const name = nonEmptyText(body['name']) ?? '';
  const type = nonEmptyText(body['type']) ?? '';
  const isForVaults = type.toLowerCase() === keyVault.type.toLowerCase();
  const recoverableVaults = isForVaults
    ? await resources.list({ subscription, type: deletedVault.type }, null)
    : [];
  const conflict =
    (await findResourceByName(store, type, name)) ??
    recoverableVaults.find((each) => String(each['name']).toLowerCase() === name.toLowerCase());
  if (conflict === undefined) return { nameAvailable: true };
  return {
    nameAvailable: false,
    reason: 'AlreadyExists',
    message: `The name '${String(conflict.name)}' is already in use.`,
  };
}

/**
 * Headers that name the operation of a write to a type without its own rules, as such types return
 * in the cloud. The write is complete when it is answered, and every poll says so.
 */
function operationHeaders(
  { origin, query }: Call,
  { subscription, type }: ResourcePath,
): Readonly<Record<string, string>> {
  if (!kindOf(type).isGeneric) return {};
  const operation = `/subscriptions/${subscription}/providers/${type.split('/')[0] ?? ''}/locations/global/operationStatuses/${randomUUID()}`;
  return {
    'azure-asyncoperation': `${origin}${operation}?api-version=${query.get('api-version') ?? ''}`,
    'retry-after': '0',
  };
}

function requestedType(path: RequestPath): string {
  if (path.kind === 'action') return path.resource.type;
  return 'type' in path ? path.type : resourceGroupType;
}

function supportedApiVersions(type: string): readonly string[] | 'any' {
  if (type === resourceGroupType) return apiVersions.resources;
  return type.toLowerCase() === deletedWorkspaces
    ? apiVersions.logWorkspaces
    : kindOf(type).apiVersions;
}

/** HEAD checks existence: 204 or 404, without a body. */
const noContent: Answer = { status: 204 };

function listAnswer(value: readonly Json[]): Answer {
  return ok({ value });
}
