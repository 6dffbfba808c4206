import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceContext } from '../common/service.js';
import { callerOf } from './access.js';
import { checkApiVersion, versionsOf } from './api-versions.js';
import { ArmError, badRequest, groupNotFound } from './errors.js';
import type { ResourceGroups } from './groups.js';
import { groupType, presentGroup } from './groups.js';
import { objectOf } from './json.js';
import type { Hosting } from './kind.js';
import { kindOf } from './kinds/index.js';
import { isListed, readContentsFilter } from './contents.js';
import { locations } from './locations.js';
import { Namespaces } from './namespaces.js';
import { isOperation, operationHeaders, presentOperation } from './operations.js';
import type { ArmPath } from './path.js';
import { parsePath } from './path.js';
import type { Resources } from './resources.js';
import type { Json, ResourceStore } from './store.js';
import type { WriteQueue } from './write-queue.js';

/** What the routes stand on. */
export interface RoutesContext {
  readonly service: ServiceContext;
  readonly store: ResourceStore;
  readonly groups: ResourceGroups;
  readonly resources: Resources;
  readonly hosting: Hosting;
  readonly queue: WriteQueue;
}

interface Answer {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

const deletedWorkspaces = 'microsoft.operationalinsights/deletedworkspaces';
const recoverableDays = 14;

/** Adds the resource manager's addresses: everything below `/subscriptions`. */
export function registerRoutes(scope: FastifyInstance, context: RoutesContext): void {
  scope.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'x-ms-request-id': request.id.length > 20 ? request.id : randomUUID(),
      'x-ms-correlation-request-id': request.headers['x-ms-correlation-request-id'] ?? randomUUID(),
      // What is answered here is done: the official providers need not wait before they look.
      'x-go-azure-sdk-skip-polling-delay': 'true',
      'cache-control': 'no-cache',
    });
    const clientId = request.headers['x-ms-client-request-id'];
    if (clientId !== undefined && request.headers['x-ms-return-client-request-id'] === 'true')
      reply.header('x-ms-client-request-id', clientId);
    done();
  });
  scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof ArmError) return reply.code(error.status).headers(error.headers).send(error.toBody());
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'the resource manager failed');
    return status >= 500
      ? reply.code(500).send({ error: { code: 'InternalServerError', message: 'The resource manager failed unexpectedly.' } })
      : reply.code(status).send({
          error: {
            code: 'InvalidRequestContent',
            message: `The request content was invalid and could not be deserialized: ${error.message}`,
          },
        });
  });
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = await callerOf(request, context.service.tokens);
    const path = parsePath(request.url.replace(/[?#].*$/s, ''), request.method === 'POST');
    if (path === undefined) throw new ArmError(404, 'NotFound', 'The request path is not one of the resource manager.');
    const { status, body, headers = {} } = await answer(request, path, inTenant(context, caller.tenantId));
    reply.code(status).headers(headers);
    return body === undefined ? reply.send() : reply.send(body);
  };
  scope.all('/', handle);
  scope.all('/*', handle);
}

/** What is served to a caller is of the tenant that its token is of. */
function inTenant(context: RoutesContext, tenantId: string): RoutesContext {
  if (tenantId === '' || tenantId === context.hosting.tenantId) return context;
  const hosting = { ...context.hosting, tenantId };
  return { ...context, hosting, resources: context.resources.with(hosting) };
}

async function answer(request: FastifyRequest, path: ArmPath, context: RoutesContext): Promise<Answer> {
  const { 'api-version': version } = request.query as Record<string, unknown>;
  const resourceType = 'type' in path ? path.type : groupType;
  const versions = 'type' in path ? versionsOfType(path.type) : versionsOf.resources;
  checkApiVersion(version, resourceType, versions);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  switch (path.at) {
    case 'subscriptions':
      return only(method, 'GET', async () => ok({ value: (await subscriptionsOf(context)).map((id) => presentSubscription(id, context)) }));
    case 'subscription':
      return only(method, 'GET', async () => ok(presentSubscription(path.subscription, context)));
    case 'namespaces':
      return namespaces(method, path, context);
    case 'locations':
      return only(method, 'GET', () => Promise.resolve(ok({ value: locations(path.subscription) })));
    case 'contents':
      return only(method, 'GET', async () => ok({ value: await contents(path, request, context) }));
    case 'groups':
      return only(method, 'GET', async () =>
        ok({ value: (await context.store.list({ subscription: path.subscription, type: groupType })).map(presentGroup) }),
      );
    case 'group':
      return group(request, method, path, context);
    case 'collection':
      if (method === 'POST' && path.type.toLowerCase().endsWith('/checknameavailability'))
        return ok(await nameAvailability(request, context));
      return only(method, 'GET', async () => ok({ value: await collection(path, context) }));
    case 'resource':
      return resource(request, method, path, context);
  }
}

async function group(
  request: FastifyRequest,
  method: string,
  path: { subscription: string; group: string },
  context: RoutesContext,
): Promise<Answer> {
  const { groups, queue } = context;
  const key = `${path.subscription}/${path.group}`;
  switch (method) {
    case 'GET':
      // A HEAD asks whether the group exists: 204 or 404, without a body.
      if (request.method === 'HEAD') return groups.get(path).then(() => ({ status: 204 }));
      return ok(presentGroup(await groups.get(path)));
    case 'PUT': {
      const { group: written, created } = await queue.run(key, () => groups.put(path, bodyOf(request)));
      return { status: created ? 201 : 200, body: presentGroup(written) };
    }
    case 'PATCH':
      return ok(presentGroup(await queue.run(key, () => groups.patch(path, bodyOf(request)))));
    case 'DELETE':
      await queue.run(key, () => groups.delete(path));
      return { status: 200 };
    default:
      throw notAllowed(method);
  }
}

async function resource(
  request: FastifyRequest,
  method: string,
  path: Extract<ArmPath, { at: 'resource' }>,
  { resources, queue }: RoutesContext,
): Promise<Answer> {
  const key = `${path.subscription}/${path.group}`;
  if (path.action !== undefined) return ok(await queue.run(key, () => resources.act(path, objectOf(request.body) ?? {})));
  if (isOperation(path)) return only(method, 'GET', () => Promise.resolve(ok(presentOperation(path))));
  switch (method) {
    case 'GET':
      // A HEAD asks whether the resource exists: 204 or 404, without a body.
      if (request.method === 'HEAD') return resources.get(path).then(() => ({ status: 204 }));
      return ok(await resources.read(path));
    case 'PUT': {
      const { answer: body, status } = await queue.run(key, () => resources.put(path, bodyOf(request)));
      return { status, body, headers: operationHeaders(request, path) };
    }
    case 'PATCH': {
      const body = await queue.run(key, () => resources.patch(path, bodyOf(request)));
      return { status: 200, body, headers: operationHeaders(request, path) };
    }
    case 'DELETE': {
      const force = (request.query as Record<string, unknown>)['force'] === 'true';
      return { status: (await queue.run(key, () => resources.delete(path, force))) ? 200 : 204 };
    }
    default:
      throw notAllowed(method);
  }
}

async function collection(path: Extract<ArmPath, { at: 'collection' }>, { store, resources, service }: RoutesContext): Promise<Json[]> {
  if (path.type.toLowerCase() !== deletedWorkspaces) return resources.list(path);
  const since = new Date(service.clock.now().getTime() - recoverableDays * 24 * 3600 * 1000).toISOString();
  return store.deletedSince(since, path.subscription, path.group);
}

async function contents(
  path: { subscription: string; group?: string },
  request: FastifyRequest,
  { store }: RoutesContext,
): Promise<Json[]> {
  if (path.group !== undefined && (await store.find(`/subscriptions/${path.subscription}/resourceGroups/${path.group}`)) === undefined)
    throw groupNotFound(path.group);
  const { $filter: filter, $top: top } = request.query as Record<string, unknown>;
  const found = (await store.list(path)).filter(isListed).filter(readContentsFilter(filter));
  return found
    .slice(0, typeof top === 'string' && /^\d+$/.test(top) ? Number(top) : undefined)
    .map(({ id, name, type, location, tags, identity, rest, createdAt, changedAt }) => ({
      ...{ id, name, type, location, tags, ...rest },
      ...(identity === undefined ? {} : { identity }),
      ...{ createdTime: createdAt, changedTime: changedAt, provisioningState: 'Succeeded' },
    }));
}

async function namespaces(
  method: string,
  { subscription, namespace, action }: Extract<ArmPath, { at: 'namespaces' }>,
  { store }: RoutesContext,
): Promise<Answer> {
  const all = new Namespaces(store);
  if (namespace === undefined) return method === 'GET' ? ok({ value: await all.list(subscription) }) : reject(method);
  if (method !== (action === undefined ? 'GET' : 'POST')) return reject(method);
  return ok(action === undefined ? await all.get(subscription, namespace) : await all.change(subscription, namespace, action));
}

/** Whether nothing has a name that is unique in the cloud: storage accounts, registries and key vaults are asked for before they are made. */
async function nameAvailability(request: FastifyRequest, { store }: RoutesContext): Promise<Json> {
  const { name, type } = bodyOf(request);
  const taken = (await store.list({ type: String(type) })).find((each) => each.name.toLowerCase() === String(name).toLowerCase());
  if (taken === undefined) return { nameAvailable: true };
  return { nameAvailable: false, reason: 'AlreadyExists', message: `The name '${taken.name}' is already in use.` };
}

async function subscriptionsOf({ store }: RoutesContext): Promise<string[]> {
  return [...new Set((await store.list({ type: groupType })).map(({ subscription }) => subscription))];
}

function presentSubscription(id: string, { hosting }: RoutesContext): Json {
  const name = `Subscription ${id.slice(0, 8)}`;
  return { id: `/subscriptions/${id}`, subscriptionId: id, displayName: name, state: 'Enabled', tenantId: hosting.tenantId };
}

function versionsOfType(type: string): readonly string[] | 'any' {
  return type.toLowerCase() === deletedWorkspaces ? versionsOf.logWorkspaces : kindOf(type).apiVersions;
}

function bodyOf(request: FastifyRequest): Json {
  const body = objectOf(request.body);
  if (body !== undefined) return body;
  throw badRequest('InvalidRequestContent', 'The request content was invalid and could not be deserialized: a JSON object is expected.');
}

function only(method: string, allowed: string, run: () => Promise<Answer>): Promise<Answer> {
  return method === allowed ? run() : Promise.reject(notAllowed(method));
}

function ok(body: Json): Answer {
  return { status: 200, body };
}

function reject(method: string): never {
  throw notAllowed(method);
}

function notAllowed(method: string): ArmError {
  return new ArmError(405, 'MethodNotAllowed', `The method ${method} is not allowed here.`);
}
