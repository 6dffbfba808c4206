import type { FindCall, ResourceHandler } from './handler.js';
import type { Reported } from '../planner/settle.js';

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
