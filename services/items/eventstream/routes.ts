import { createHash } from 'node:crypto';
import { routesInWorkspace, type WorkspaceOperation } from '../access/workspace-operation.js';
import { findItem } from '../access/workspace-access.js';
import { type Answer, type Call, ok, type Route } from '../http/call.js';
import { Problem } from '../http/problem.js';
import { readParts } from '../item/definition-store.js';
import { parsePart } from '../item/definition.js';
import { type ItemRow, type ItemsReader, lockWorkspace } from '../store/tables.js';
import { derivedId } from '../../../core/values/derived-id.js';

const eventstreamPath = '/workspaces/:workspaceId/eventstreams/:itemId';
type NodeCollection = 'sources' | 'destinations';

const readOperation = { method: 'GET', minimumRole: 'Viewer', scopeAccess: 'read' } as const;
const writeOperation = {
  method: 'POST',
  minimumRole: 'Contributor',
  scopeAccess: 'write',
} as const;

/**
 * The operations of eventstreams only: their running topology, pausing and resuming, as a whole or
 * by node.
 */
export const eventstreamRoutes: readonly Route[] = routesInWorkspace<ItemRow>(
  [
    {
      ...readOperation,
      path: `${eventstreamPath}/topology`,
      summary: 'Get the topology of an eventstream',
      run: getTopology,
    },
    {
      ...writeOperation,
      path: `${eventstreamPath}/pause`,
      summary: 'Pause an eventstream',
      run: (call, _access, item) => pauseOrResume(call, item, 'pause'),
    },
    {
      ...writeOperation,
      path: `${eventstreamPath}/resume`,
      summary: 'Resume an eventstream',
      run: (call, _access, item) => pauseOrResume(call, item, 'resume'),
    },
    ...nodeOperations('sources'),
    ...nodeOperations('destinations'),
  ],
  (call, access) => findItem(call, access, 'Eventstream'),
  () => 'Eventstream',
);

function nodeOperations(collection: NodeCollection): readonly WorkspaceOperation<ItemRow>[] {
  const path = `${eventstreamPath}/${collection}/:nodeId`;
  const noun = collection === 'sources' ? 'source' : 'destination';
  const setNodeRunning = (action: 'pause' | 'resume'): WorkspaceOperation<ItemRow>['run'] => {
    return async (call, _access, item) =>
      pauseOrResume(call, item, action, await findNode(call, item, collection));
  };
  return [
    {
      ...readOperation,
      path,
      summary: `Get a ${noun} of an eventstream`,
      run: async (call, _access, item) => ok(await findNode(call, item, collection)),
    },
    {
      ...writeOperation,
      method: 'GET',
      path: `${path}/connection`,
      summary: `Get the connection of a ${noun}`,
      run: (call, _access, item) => getConnection(call, item, collection),
    },
    {
      ...writeOperation,
      path: `${path}/pause`,
      summary: `Pause a ${noun}`,
      run: setNodeRunning('pause'),
    },
    {
      ...writeOperation,
      path: `${path}/resume`,
      summary: `Resume a ${noun}`,
      run: setNodeRunning('resume'),
    },
  ];
}

async function getTopology(call: Call, _access: unknown, item: ItemRow): Promise<Answer> {
  return ok(await readTopology(call.runtime.db, item));
}

async function findNode(
  call: Call,
  item: ItemRow,
  collection: NodeCollection,
): Promise<TopologyNode> {
  const id = call.params['nodeId'] ?? '';
  const node = (await readTopology(call.runtime.db, item))[collection].find(
    (each) => each.id === id,
  );
  if (node) return node;
  throw new Problem(
    'EntityNotFound',
    `The eventstream has no ${collection === 'sources' ? 'source' : 'destination'} ${id}.`,
  );
}

/** @param node one node; undefined for all of them. */
async function pauseOrResume(
  call: Call,
  item: ItemRow,
  action: 'pause' | 'resume',
  node?: TopologyNode,
): Promise<Answer> {
  const { sources, destinations } = await readTopology(call.runtime.db, item);
  const ids = (node === undefined ? [...sources, ...destinations] : [node]).map(({ id }) => id);
  if (action === 'resume') checkStartType(call.json());
  await call.runtime.db.transaction().execute(async (transaction) => {
    await lockWorkspace(transaction, item.workspace_id);
    const row = await transaction
      .selectFrom('items_item')
      .select('settings')
      .where('id', '=', item.id)
      .executeTakeFirst();
    const settings = JSON.parse(row?.settings ?? '{}') as EventstreamSettings;
    const otherPausedIds = (settings.paused ?? []).filter((id) => !ids.includes(id));
    const changedSettings = JSON.stringify({
      ...settings,
      paused: action === 'pause' ? [...otherPausedIds, ...ids] : otherPausedIds,
    });
    await transaction
      .updateTable('items_item')
      .set({ settings: changedSettings })
      .where('id', '=', item.id)
      .execute();
  });
  return ok();
}

function checkStartType({
  startType,
  customStartDateTime,
}: Readonly<Record<string, unknown>>): void {
  const allowed = ['Now', 'WhenLastStopped', 'CustomTime'];
  if (typeof startType !== 'string' || !allowed.includes(startType))
    throw new Problem(
      'InvalidInput',
      `startType ${JSON.stringify(startType ?? null)} is not allowed: it is one of ${allowed.join(', ')}.`,
    );
  if (startType !== 'CustomTime') return;
  const isInstant =
    typeof customStartDateTime === 'string' &&
    /^\d{4}-\d\d-\d\d(T|$)/.test(customStartDateTime) &&
    !Number.isNaN(Date.parse(customStartDateTime));
  if (!isInstant)
    throw new Problem(
      'InvalidInput',
      'startType CustomTime needs a customStartDateTime: a date and time in ISO 8601.',
    );
}

/** The addresses for applications that send or read events: only custom endpoints have them. */
async function getConnection(
  call: Call,
  item: ItemRow,
  collection: NodeCollection,
): Promise<Answer> {
  const node = await findNode(call, item, collection);
  if (node.type !== 'CustomEndpoint')
    throw new Problem(
      'OperationNotSupportedForItem',
      `A ${node.type} has no connection; a CustomEndpoint has.`,
    );
  const fullyQualifiedNamespace = `${item.id}.servicebus.localhost`;
  const eventHubName = `es_${node.id}`;
  // Derived from the logical id, which only callers who may read the connection can see.
  const key = (keyName: string): string =>
    createHash('sha256').update(`${item.logical_id}/${node.id}/${keyName}`).digest('base64');
  const connectionString = (keyName: string): string =>
    `Endpoint=sb://${fullyQualifiedNamespace}/;SharedAccessKeyName=key_${keyName};SharedAccessKey=${key(keyName)};EntityPath=${eventHubName}`;
  return ok({
    type: node.type,
    fullyQualifiedNamespace,
    eventHubName,
    ...(collection === 'destinations' && { consumerGroupName: '$Default' }),
    accessKeys: {
      primaryKey: key('primary'),
      secondaryKey: key('secondary'),
      primaryConnectionString: connectionString('primary'),
      secondaryConnectionString: connectionString('secondary'),
    },
  });
}

/** A node of an eventstream's document. */
type TopologyNode = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly name: string;
  readonly type: string;
};

/** A running eventstream: every node with an id, sources and destinations with their state. */
interface Topology {
  readonly sources: readonly TopologyNode[];
  readonly destinations: readonly TopologyNode[];
  readonly streams: readonly TopologyNode[];
  readonly operators: readonly TopologyNode[];
  /** That of the document. @default 1.0 */
  readonly compatibilityLevel: string;
}

/** The stored state of an eventstream: the ids of paused nodes. */
interface EventstreamSettings {
  readonly paused?: readonly string[];
}

/** Reads the topology of an eventstream from its definition. */
async function readTopology(db: ItemsReader, item: ItemRow): Promise<Topology> {
  const part = (await readParts(db, item)).find(({ path }) => path === 'eventstream.json');
  const document = (part === undefined ? {} : parsePart(part.path, part.payload)) as Partial<
    Record<keyof Topology, unknown>
  >;
  const { paused = [] } = JSON.parse(item.settings) as EventstreamSettings;
  const nodes = (list: unknown): TopologyNode[] =>
    (Array.isArray(list) ? (list as Record<string, unknown>[]) : []).map((node) => ({
      ...node,
      // a node without an id gets the same one as long as its name stays
      id:
        typeof node['id'] === 'string'
          ? node['id'].toLowerCase()
          : derivedId(`${item.id}/${String(node['name'])}`),
      name: String(node['name']),
      type: String(node['type']),
    }));
  const withState = (list: unknown): TopologyNode[] =>
    nodes(list).map((node) => ({
      ...node,
      status: paused.includes(node.id) ? 'Paused' : 'Running',
    }));
  return {
    sources: withState(document.sources),
    destinations: withState(document.destinations),
    streams: nodes(document.streams),
    operators: nodes(document.operators),
    compatibilityLevel:
      typeof document.compatibilityLevel === 'string' ? document.compatibilityLevel : '1.0',
  };
}
