import type { Activity } from '../activity.js';
import type { ShownItem } from '../snapshot.js';
import { Table } from './table.js';

/** The items of every workspace, and the operations that made them. */
export function ItemsPage({
  items,
  calls,
}: {
  items: readonly ShownItem[];
  calls: readonly Activity[];
}) {
  const operations = latestOperations(calls, items);
  return (
    <>
      <h1>Items</h1>
      <Table
        caption="Items of the workspaces"
        empty="No workspace has an item."
        columns={['Name', 'Type', 'Workspace', 'Description']}
        rows={items.map(({ name, type, workspace, description }) => [
          name,
          type,
          workspace,
          description || 'none',
        ])}
      />
      <h2>Operations</h2>
      <Table
        caption="Long-running operations"
        empty="None since the sandbox started."
        columns={['Operation', 'Status', 'Progress', 'Last asked', 'Id']}
        rows={operations.map(({ id, title, status, percent, at }) => [
          title,
          status,
          percent === undefined ? (
            'unknown'
          ) : (
            <progress value={percent} max={100} aria-label={`Progress: ${title}`} />
          ),
          new Date(at).toLocaleTimeString(),
          <code>{id}</code>,
        ])}
      />
    </>
  );
}

interface Operation {
  readonly id: string;
  /** The action and its object: `create clickstore`. */
  readonly title: string;
  readonly status: string;
  readonly percent?: number;
  readonly at: string;
}

/** What the service last said of each operation that someone asked for, the latest first. */
function latestOperations(
  calls: readonly Activity[],
  items: readonly ShownItem[],
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
    operations.set(id, {
      id,
      title: titleOf(firstCalls.get(id), items),
      status,
      at,
      ...(typeof percentComplete === 'number' ? { percent: percentComplete } : {}),
    });
  }
  return [...operations.values()].toReversed();
}

function titleOf(call: Activity | undefined, items: readonly ShownItem[]): string {
  if (call === undefined) return 'started before the oldest recorded call';
  const [, id, action = id === undefined ? 'create' : 'change'] =
    /\/workspaces\/[^/]+\/[^/?]+(?:\/([^/?]+)(?:\/([^/?]+))?)?/.exec(call.path) ?? [];
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
