import { setTimeout as sleep } from 'node:timers/promises';
import type { FindCall, ResourceHandler } from './handler.js';
import type { Reported } from '../planner/settle.js';
import { mustText } from './read-values.js';

/** Finds what a creation that was killed may have made; see {@link ResourceHandler.find}. */
export type Finder = (call: FindCall) => Promise<Reported | undefined>;

/** Gives resource types their finders. */
export function withFinders(
  resources: Readonly<Record<string, ResourceHandler>>,
  finders: Readonly<Record<string, Finder>>,
): Readonly<Record<string, ResourceHandler>> {
  return Object.fromEntries(
    Object.entries(resources).map(([typeName, handler]) => {
      const find = finders[typeName];
      return [typeName, find === undefined ? handler : { ...handler, find }];
    }),
  );
}

/** Clocks of a service and of this process may differ a little. */
const tolerance = 2_000;

/** Whether something was made since a creation was begun. */
export function isMadeSince(begunAt: Date, created: string | null | undefined): boolean {
  return created != null && Date.parse(created) >= begunAt.getTime() - tolerance;
}

/** How long an item whose creation goes on by itself is waited for. */
const patience = { tries: 12, milliseconds: 300 };

/**
 * Finds an item by its name, which is unique in its workspace. A creation that the service had accepted ends by itself, also after a crash:
 * it is given a moment to.
 */
export const findItem =
  (type: string): Finder =>
  async ({ api, planned, signal }) => {
    const [workspace, name] = [mustText(planned, 'workspace_id'), mustText(planned, 'display_name')];
    for (let tries = patience.tries; tries > 0; tries--) {
      for await (const item of api.items.items.list(workspace, { type, recursive: true, signal }))
        if (item.displayName === name && item.type === type) return { id: item.id };
      await sleep(patience.milliseconds, undefined, { signal });
    }
    return undefined;
  };

/** Finds a workspace by its name, which is unique in the tenant. */
export const findWorkspace: Finder = async ({ api, planned, signal }) => {
  for await (const { id, displayName } of api.items.workspaces.list({ signal }))
    if (displayName === mustText(planned, 'display_name')) return { id };
  return undefined;
};
