import type { AddressInfo } from 'node:net';
import type { Dialect } from '../../../../core/dialect/dialect.js';
import { omitUndefined } from '../../../../core/values/omit-undefined.js';
import { createItemsClient, type ItemsClient } from '../../../../clients/items/index.js';
import { unrestrictedCaller, type Caller } from '../../../../services/common/caller.js';
import { type Clock, systemClock } from '../../../../services/common/clock.js';
import { type Database, openDatabase } from '../../../../services/common/database.js';
import { createHttpServer, mountService } from '../../../../services/common/http-server.js';
import type { LongRunningOptions } from '../../../../services/common/service.js';
import type { SeedLists } from '../../../../services/common/seed.js';
import type { TokenVerifier } from '../../../../services/common/token-verifier.js';
import { createItemsService } from '../../../../services/items/index.js';
import type { ItemsDatabase } from '../../../../services/items/store/tables.js';

/** Ids that the tests' seed uses. */
export const ids = {
  capacity: 'c0000000-0000-4000-8000-000000000001',
  pausedCapacity: 'c0000000-0000-4000-8000-000000000002',
  workspace: 'a0000000-0000-4000-8000-000000000001',
  workspaceWithoutCapacity: 'a0000000-0000-4000-8000-000000000002',
  label: 'b0000000-0000-4000-8000-000000000001',
  tag: '70000000-0000-4000-8000-000000000001',
  admin: 'e0000000-0000-4000-8000-000000000001',
  contributor: 'e0000000-0000-4000-8000-000000000002',
  viewer: 'e0000000-0000-4000-8000-000000000003',
  stranger: 'e0000000-0000-4000-8000-000000000004',
  app: 'e0000000-0000-4000-8000-000000000005',
} as const;

/** Two workspaces, one on a capacity; an admin, a contributor, a viewer and an application. */
export const seed: SeedLists = {
  capacities: [
    { id: ids.capacity, displayName: 'F64', sku: 'F64', region: 'West Europe', state: 'Active' },
    {
      id: ids.pausedCapacity,
      displayName: 'paused',
      sku: 'F2',
      region: 'West Europe',
      state: 'Inactive',
    },
  ],
  users: [
    { id: ids.contributor, displayName: 'Con Tributor', userPrincipalName: 'con@example.com' },
  ],
  servicePrincipals: [
    { id: ids.app, displayName: 'Deployer', appId: 'd0000000-0000-4000-8000-000000000001' },
  ],
  sensitivityLabels: [{ id: ids.label, displayName: 'Secret' }],
  tags: [{ id: ids.tag, displayName: 'hot' }],
  workspaces: [
    {
      id: ids.workspace,
      displayName: 'Telemetry',
      capacityId: ids.capacity,
      roleAssignments: [
        { principal: { id: ids.admin, type: 'User' }, role: 'Admin' },
        { principal: { id: ids.contributor, type: 'User' }, role: 'Contributor' },
        { principal: { id: ids.viewer, type: 'User' }, role: 'Viewer' },
        { principal: { id: ids.app, type: 'ServicePrincipal' }, role: 'Contributor' },
      ],
    },
    { id: ids.workspaceWithoutCapacity, displayName: 'Bare' },
  ],
};

/** A token as the tests' verifier understands it: the caller in JSON. */
export function tokenOf(
  caller: Partial<Omit<Caller, 'scopes' | 'groups'>> & {
    scopes?: readonly string[];
    groups?: readonly string[];
  },
): string {
  return Buffer.from(
    JSON.stringify({
      kind: 'user',
      scopes: ['Item.ReadWrite.All', 'Workspace.ReadWrite.All'],
      ...caller,
    }),
  ).toString('base64url');
}

/** Lets `Bearer <caller in JSON>` in, and everyone without a token where asked to. */
function createVerifier(letsEveryoneIn: boolean): TokenVerifier {
  return {
    verify(authorization) {
      if (authorization === undefined)
        return Promise.resolve(
          letsEveryoneIn
            ? { caller: unrestrictedCaller }
            : { refusal: 'missing', reason: 'Access token is empty.' },
        );
      const caller = JSON.parse(
        Buffer.from(authorization.slice('Bearer '.length), 'base64url').toString(),
      ) as Caller;
      return Promise.resolve({
        caller: {
          ...unrestrictedCaller,
          ...caller,
          scopes: new Set(caller.scopes),
          groups: new Set(caller.groups),
        },
      });
    },
  };
}

/** How a test runs the service. */
export interface StartOptions {
  readonly database?: string | Database;
  readonly dialect?: Dialect;
  readonly longRunning?: LongRunningOptions;
  readonly failingItemPrefix?: string;
  readonly throttle?: boolean;
  readonly groupsOf?: (objectId: string) => Promise<readonly string[]>;
  readonly clock?: Clock;
  /** Without a token everyone is let in. @default true */
  readonly letsEveryoneIn?: boolean;
  readonly seed?: SeedLists;
}

/** The service under test. */
export interface StartedItems {
  readonly origin: string;
  readonly items: ItemsClient;
  /** A request as a test words it, with the answer's body parsed. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; token?: string; raw?: string; headers?: Record<string, string> },
  ): Promise<{ status: number; headers: Headers; body: any }>; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely
  /** Makes a workspace as full as if it had that many items already. */
  countItems(workspaceId: string, count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the items service on a free port of loopback. */
export async function startItems(options: StartOptions = {}): Promise<StartedItems> {
  const { database: databaseOption = 'memory:' } = options;
  const database =
    typeof databaseOption === 'string' ? await openDatabase(databaseOption) : databaseOption;
  const {
    dialect = 'neutral',
    clock = systemClock,
    letsEveryoneIn = true,
    failingItemPrefix,
  } = options;
  const service = await createItemsService({
    database,
    dialect,
    clock,
    tokenVerifier: createVerifier(letsEveryoneIn),
    throttle: options.throttle ?? false,
    longRunning: options.longRunning ?? { mode: 'never', seed: '', seconds: 0 },
    ...omitUndefined({ failingItemPrefix, groupsOf: options.groupsOf }),
  });
  await service.seed(options.seed ?? seed);
  const server = createHttpServer();
  mountService(server, service);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return {
    origin,
    items: createItemsClient({ baseUrl: origin, dialect, wait: { intervalMs: 5 } }),
    async call(method, path, { body, token, raw, headers = {} } = {}) {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: {
          ...(body === undefined && raw === undefined
            ? {}
            : { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(raw !== undefined
          ? { body: raw }
          : body === undefined
            ? {}
            : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
    },
    async countItems(workspaceId, count) {
      await (database.connection as unknown as ItemsDatabase)
        .updateTable('items_workspace')
        .set({ item_count: count })
        .where('id', '=', workspaceId)
        .execute();
    },
    async stop() {
      server.server.closeAllConnections();
      await server.close();
      await service.close();
      await database.close();
    },
  };
}

/** The path of the seeded workspace that is on a capacity. */
export const workspacePath = `/v1/workspaces/${ids.workspace}`;

/** A definition part with JSON inside. */
export function part(
  path: string,
  content: unknown,
): { path: string; payload: string; payloadType: string } {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { path, payload: Buffer.from(text).toString('base64'), payloadType: 'InlineBase64' };
}
