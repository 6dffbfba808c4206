import { createHash } from 'node:crypto';
import { routesInWorkspace, type WorkspaceOperation } from '../access/workspace-routes.js';
import { findItem } from '../access/roles.js';
import { type Answer, type Call, ok, type Route } from '../http/call.js';
import { Problem } from '../http/problem.js';
import { partsOf } from '../item/definition-store.js';
import { parsePart } from '../item/definition.js';
import type { ItemRow, ItemsReader } from '../store/tables.js';
import { derivedId } from '../../common/derived-id.js';

const stream = '/workspaces/:workspaceId/eventstreams/:itemId';
type Side = 'sources' | 'destinations';

const reading = { method: 'GET', minimumRole: 'Viewer', access: 'read' } as const;
const writing = { method: 'POST', minimumRole: 'Contributor', access: 'write' } as const;

/**
 * The operations of eventstreams only: their running topology, pausing and resuming, as a whole or
 * by node.
 */
export const eventstreamRoutes: readonly Route[] = routesInWorkspace<ItemRow>(
  [
    {
      ...reading,
      path: `${stream}/topology`,
      summary: 'Get the topology of an eventstream',
      run: getTopology,
    },
    {
      ...writing,
      path: `${stream}/pause`,
      summary: 'Pause an eventstream',
      run: (call, _in, item) => setRunning(call, item, 'pause'),
    },
    {
      ...writing,
      path: `${stream}/resume`,
      summary: 'Resume an eventstream',
      run: (call, _in, item) => setRunning(call, item, 'resume'),
    },
    ...nodeOperations('sources'),
    ...nodeOperations('destinations'),
  ],
  (call, access) => findItem(call, access, 'Eventstream'),
  () => 'Eventstream',
);

function nodeOperations(side: Side): readonly WorkspaceOperation<ItemRow>[] {
  const path = `${stream}/${side}/:nodeId`;
  const noun = side === 'sources' ? 'source' : 'destination';
  const running = (what: 'pause' | 'resume'): WorkspaceOperation<ItemRow>['run'] => {
    return async (call, _in, item) =>
      setRunning(call, item, what, await findNode(call, item, side));
  };
  return [
    {
      ...reading,
      path,
      summary: `Get a ${noun} of an eventstream`,
      run: async (call, _in, item) => ok(await findNode(call, item, side)),
    },
    {
      ...writing,
      method: 'GET',
      path: `${path}/connection`,
      summary: `Get the connection of a ${noun}`,
      run: (call, _in, item) => getConnection(call, item, side),
    },
    { ...writing, path: `${path}/pause`, summary: `Pause a ${noun}`, run: running('pause') },
    { ...writing, path: `${path}/resume`, summary: `Resume a ${noun}`, run: running('resume') },
  ];
}

async function getTopology(call: Call, _entered: unknown, item: ItemRow): Promise<Answer> {
  return ok(await topologyOf(call.runtime.db, item));
}

async function findNode(call: Call, item: ItemRow, side: Side): Promise<TopologyNode> {
  const id = call.params['nodeId'] ?? '';
  const node = (await topologyOf(call.runtime.db, item))[side].find((each) => each.id === id);
  if (node) return node;
  throw new Problem(
    'EntityNotFound',
    `The eventstream has no ${side === 'sources' ? 'source' : 'destination'} ${id}.`,
  );
}

/** @param node one node; undefined for all of them. */
async function setRunning(
  call: Call,
  item: ItemRow,
  what: 'pause' | 'resume',
  node?: TopologyNode,
): Promise<Answer> {
  const { sources, destinations } = await topologyOf(call.runtime.db, item);
  const ids = (node === undefined ? [...sources, ...destinations] : [node]).map(({ id }) => id);
  if (what === 'resume') checkStart(call.json());
  await call.runtime.db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('items_item')
      .select('settings')
      .where('id', '=', item.id)
      .executeTakeFirst();
    const settings = JSON.parse(row?.settings ?? '{}') as EventstreamSettings;
    const others = (settings.paused ?? []).filter((id) => !ids.includes(id));
    const changed = JSON.stringify({
      ...settings,
      paused: what === 'pause' ? [...others, ...ids] : others,
    });
    await transaction
      .updateTable('items_item')
      .set({ settings: changed })
      .where('id', '=', item.id)
      .execute();
  });
  return ok();
}

function checkStart({ startType, customStartDateTime }: Readonly<Record<string, unknown>>): void {
  const allowed = ['Now', 'WhenLastStopped', 'CustomTime'];
  if (typeof startType !== 'string' || !allowed.includes(startType))
    throw new Problem(
      'InvalidInput',
      `startType ${JSON.stringify(startType ?? null)} is not allowed: it is one of ${allowed.join(', ')}.`,
    );
  if (startType !== 'CustomTime') return;
  if (typeof customStartDateTime !== 'string' || Number.isNaN(Date.parse(customStartDateTime)))
    throw new Problem(
      'InvalidInput',
      'startType CustomTime needs a customStartDateTime (date and time, UTC).',
    );
}

/** The addresses for applications that send or read events: only custom endpoints have them. */
async function getConnection(call: Call, item: ItemRow, side: Side): Promise<Answer> {
  const node = await findNode(call, item, side);
  if (node.type !== 'CustomEndpoint')
    throw new Problem(
      'OperationNotSupportedForItem',
      `A ${node.type} has no connection; a CustomEndpoint has.`,
    );
  const fullyQualifiedNamespace = `${item.id}.servicebus.localhost`;
  const eventHubName = `es_${node.id}`;
  // Derived from the item's random id: stable for the item, and useless elsewhere.
  const key = (which: string): string =>
    createHash('sha256').update(`${item.logical_id}/${node.id}/${which}`).digest('base64');
  const connectionString = (which: string): string =>
    `Endpoint=sb://${fullyQualifiedNamespace}/;SharedAccessKeyName=key_${which};SharedAccessKey=${key(which)};EntityPath=${eventHubName}`;
  return ok({
    type: node.type,
    fullyQualifiedNamespace,
    eventHubName,
    ...(side === 'destinations' && { consumerGroupName: '$Default' }),
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
  readonly compatibilityLevel: string;
}

/** The stored state of an eventstream: the ids of paused nodes. */
interface EventstreamSettings {
  readonly paused?: readonly string[];
}

/** Reads the topology of an eventstream from its definition. */
async function topologyOf(db: ItemsReader, item: ItemRow): Promise<Topology> {
  const part = (await partsOf(db, item)).find(({ path }) => path === 'eventstream.json');
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
