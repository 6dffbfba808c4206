import type { ServiceCall } from '../activity.js';
import type { ConsoleData, ItemView } from '../console-data.js';
import { pageAddress } from './router.js';
import { sortedByName, Missing, Table, Time, TruncationNote } from './elements.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The items of every workspace, and the long-running operations. */
export function ItemsPage({
  items,
  truncatedLists,
  calls,
}: ConsoleData & { calls: readonly ServiceCall[] }) {
  return (
    <>
      <h1>Items</h1>
      <TruncationNote list="items" shown={items.length} truncatedLists={truncatedLists} />
      <ItemTable items={items} />
      <h2>Operations</h2>
      <Operations calls={calls} items={items} />
    </>
  );
}

/**
 * The items of one workspace.
 *
 * @param name its id, as in links of lists, or its name, as in links of pictures
 */
export function WorkspacePage({ name, items }: { name: string; items: readonly ItemView[] }) {
  const workspaceItems = items.filter(
    ({ workspace, workspaceId }) => workspaceId === name || workspace === name,
  );
  const [first] = workspaceItems;
  if (first === undefined) {
    const all = <a href="#/items">All items</a>;
    return <Missing name={name} reason="No workspace of this name has an item." all={all} />;
  }
  return (
    <>
      <p class="crumb">
        <a href="#/items">Items</a>
      </p>
      <h1>{first.workspace}</h1>
      <p class="lead">
        Workspace <code>{first.workspaceId}</code>
      </p>
      <ItemTable items={workspaceItems} />
    </>
  );
}

function ItemTable({ items }: { items: readonly ItemView[] }) {
  const sorted = sortedByName(items);
  return (
    <Table
      caption="Items of the workspaces"
      empty="No workspace has an item."
      columns={['Name', 'Type', 'Workspace', 'Description']}
      filterTexts={sorted.map(({ name, type, workspace }) => `${name} ${type} ${workspace}`)}
      rows={sorted.map(({ id, name, type, workspace, workspaceId, description }) => [
        <a href={pageAddress('items', id)}>{name}</a>,
        type,
        <a href={pageAddress('workspaces', workspaceId)}>{workspace}</a>,
        description ?? '',
      ])}
    />
  );
}

/** Long-running operations, each linked to its item and to the call that started it. */
export function Operations({
  calls,
  items,
  onlyItem,
}: {
  calls: readonly ServiceCall[];
  items: readonly ItemView[];
  /** Only those of this item. */
  onlyItem?: ItemView;
}) {
  const operations = latestOperations(calls, items).filter(
    ({ item }) => onlyItem === undefined || item?.id === onlyItem.id,
  );
  return (
    <Table
      caption="Long-running operations"
      empty="None since the sandbox started."
      columns={['Operation', 'Status', 'Progress', 'Last asked', 'Started by']}
      rows={operations.map(({ id, title, status, percent, at, call, item }) => [
        item === undefined ? title : <a href={pageAddress('items', item.id)}>{title}</a>,
        status,
        percent === undefined ? (
          'unknown'
        ) : (
          <progress value={percent} max={100} aria-label={`Progress: ${title}`} />
        ),
        <Time at={at} />,
        call === undefined ? (
          <code>{id}</code>
        ) : (
          <a href={pageAddress('activity', String(call.id))}>{`${call.method} ${
            call.path.split('?')[0]?.split('/').at(-1) ?? ''
          }`}</a>
        ),
      ])}
    />
  );
}

interface Operation {
  readonly id: string;
  /** The action and its object: `create clickstore`. */
  readonly title: string;
  /** As the service returned it: `Running`; `unknown` if it returned none. */
  readonly status: string;
  /** How much of it is done, from 0 to 100; undefined if the service did not say. */
  readonly percent?: number;
  /** When somebody last asked for its status, in ISO 8601. */
  readonly at: string;
  /** The call that started it. */
  readonly call?: ServiceCall;
  /** The item that the call creates or is about; undefined if none is found. */
  readonly item?: ItemView;
}

/** The operations that someone queried, as the service last returned them, the latest first. */
function latestOperations(
  calls: readonly ServiceCall[],
  items: readonly ItemView[],
): readonly Operation[] {
  const firstCalls = new Map(
    calls.flatMap((call) =>
      call.operation === undefined ? [] : [[call.operation, call] as const],
    ),
  );
  const operations = new Map<string, Operation>();
  for (const { path, response, at } of calls) {
    const id = /\/v1\/operations\/([^/?]+)$/.exec(path)?.[1];
    if (id === undefined || response === undefined) continue;
    const { status = 'unknown', percentComplete } = parseObject(response) as {
      status?: string;
      percentComplete?: number | null;
    };
    operations.delete(id);
    const call = firstCalls.get(id);
    const item = itemOf(call, items);
    operations.set(id, {
      id,
      status,
      at,
      title: titleOf(call, items),
      ...omitUndefined({ call, item }),
      ...(typeof percentComplete === 'number' ? { percent: percentComplete } : {}),
    });
  }
  return [...operations.values()].toReversed();
}

/** The item that a call is about: the one in its path, or the one that it created. */
function itemOf(call: ServiceCall | undefined, items: readonly ItemView[]): ItemView | undefined {
  if (call === undefined) return undefined;
  const [, workspaceId, , id] = pathOfItem.exec(call.path) ?? [];
  const { displayName } = parseObject(call.request ?? '') as { displayName?: string };
  return (
    items.find((item) => item.id === id) ??
    items.find((item) => item.workspaceId === workspaceId && item.name === displayName)
  );
}

/** The path of an item: workspace, type, item and action. */
const pathOfItem = /\/workspaces\/([^/]+)\/([^/?]+)(?:\/([^/?]+)(?:\/([^/?]+))?)?/;

/** The action of a call and the name of its item: `create clickstore`. */
function titleOf(call: ServiceCall | undefined, items: readonly ItemView[]): string {
  if (call === undefined) return 'started before the oldest recorded call';
  const [, , , id, action = id === undefined ? 'create' : 'change'] =
    pathOfItem.exec(call.path) ?? [];
  const { displayName } = parseObject(call.request ?? '') as { displayName?: string };
  return `${action} ${displayName ?? items.find((item) => item.id === id)?.name ?? 'an item that is deleted'}`;
}

function parseObject(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
