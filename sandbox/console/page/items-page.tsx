import type { Activity } from '../activity.js';
import type { ShownItem } from '../snapshot.js';
import { Table } from './table.js';

/** The items of every workspace, and the operations that made them. */
export function ItemsPage({ items, calls }: { items: readonly ShownItem[]; calls: readonly Activity[] }) {
  const operations = latestOperations(calls);
  return (
    <>
      <h1>Items</h1>
      <Table
        caption="Items of the workspaces"
        empty="No workspace has an item."
        columns={['Name', 'Type', 'Workspace', 'Description']}
        rows={items.map(({ name, type, workspace, description }) => [name, type, workspace, description ?? ''])}
      />
      <h2>Operations</h2>
      <Table
        caption="Long-running operations"
        empty="None since the sandbox started."
        columns={['Operation', 'Status', 'Progress', 'Last asked']}
        rows={operations.map(({ id, status, percent, at }) => [
          <code>{id}</code>,
          status,
          percent === undefined ? '' : <progress value={percent} max={100} aria-label={`Progress of ${id}`} />,
          new Date(at).toLocaleTimeString(),
        ])}
      />
    </>
  );
}

interface Operation {
  readonly id: string;
  readonly status: string;
  readonly percent?: number;
  readonly at: string;
}

/** What the service last said of each operation that somebody asked for, the latest first. */
function latestOperations(calls: readonly Activity[]): readonly Operation[] {
  const operations = new Map<string, Operation>();
  for (const { path, response, at } of calls) {
    const id = /\/v1\/operations\/([^/?]+)$/.exec(path)?.[1];
    if (id === undefined || response === undefined) continue;
    const { status = 'unknown', percentComplete } = parsed(response) as { status?: string; percentComplete?: number | null };
    operations.delete(id);
    operations.set(id, { id, status, at, ...(typeof percentComplete === 'number' ? { percent: percentComplete } : {}) });
  }
  return [...operations.values()].toReversed();
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
