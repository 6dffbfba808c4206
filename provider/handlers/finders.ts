import { setTimeout as sleep } from 'node:timers/promises';
import { valueAtPath } from '../../kinds/schema/path-steps.js';
import type { ResourceHandler } from './handler.js';
import { textOrEmpty } from './read-values.js';

/** Finds an existing object to adopt; see {@link ResourceHandler.findExisting}. */
export type Finder = NonNullable<ResourceHandler['findExisting']>;

/** The clocks of a service and of this process may differ a little. */
const clockToleranceMs = 2_000;

/** Whether an object was created at or after a time, given that two clocks may differ a little. */
export function isCreatedSince(start: Date, created: string | null | undefined): boolean {
  return created != null && Date.parse(created) >= start.getTime() - clockToleranceMs;
}

/**
 * Whether a resource of the resource manager may have been created at or after a time: not every
 * type says when it was.
 */
export function mayBeCreatedSince(start: Date, resource: unknown): boolean {
  const created = valueAtPath(resource, ['systemData', 'createdAt']);
  return typeof created !== 'string' || isCreatedSince(start, created);
}

/** How long to wait for an item whose creation continues in the service. */
const polling = { tries: 12, intervalMs: 300 };

/**
 * Finds an item by its name, which is unique in its workspace. The service completes an accepted
 * creation itself, even after a crash, so this waits for a moment.
 */
export const waitingItemFinder =
  (type: string): Finder =>
  async ({ api, planned, signal }) => {
    const [workspace, name] = [
      textOrEmpty(planned, 'workspace_id'),
      textOrEmpty(planned, 'display_name'),
    ];
    for (let tries = polling.tries; tries > 0; tries--) {
      for await (const item of api.items.items.list(workspace, { type, recursive: true, signal }))
        if (item.displayName === name && item.type === type) return { id: item.id };
      await sleep(polling.intervalMs, undefined, { signal });
    }
    return undefined;
  };
