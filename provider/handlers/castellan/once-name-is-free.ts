import { setTimeout as sleep } from 'node:timers/promises';
import { isServiceError } from '../../../clients/common/index.js';

/** How often and how long it is tried again, by what the service said. */
const patience: Readonly<Record<string, { readonly pauseMs: number; readonly longestMs: number }>> = {
  // When an item moves between fabric_* and castellan_*, Terraform deletes the old one and creates the new one side by side.
  ItemDisplayNameAlreadyInUse: { pauseMs: 2000, longestMs: 10_000 },
  // The cloud keeps the name of a deleted item back for some minutes.
  ItemDisplayNameNotAvailableYet: { pauseMs: 30_000, longestMs: 10 * 60_000 },
};

/**
 * Creates an item whose name another item may be about to give up: tries again for 10 s while the name is in use, for 10 min while the service
 * keeps it back.
 *
 * @param pause injected where tests must not wait
 * @throws the last error when the name doesn't become free in time, every other error at once, the signal's reason when interrupted
 */
export async function onceNameIsFree<T>(
  create: () => Promise<T>,
  signal: AbortSignal,
  pause: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds, undefined, { signal }),
): Promise<T> {
  for (let waited = 0; ;) {
    try {
      return await create();
    } catch (error) {
      const wait = isServiceError(error) ? patience[error.serviceCode] : undefined;
      if (wait === undefined || waited >= wait.longestMs) throw error;
      await pause(wait.pauseMs);
      waited += wait.pauseMs;
    }
  }
}
