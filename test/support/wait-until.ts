import { setTimeout as wait } from 'node:timers/promises';

/**
 * Polls until a function returns something other than undefined and false, and returns that.
 *
 * @param awaited what is awaited, for the message.
 * @throws Error that names what was awaited, after the time: a slow machine needs many times more
 *   than a quiet one
 */
export async function waitUntil<T>(
  awaited: string,
  poll: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 20_000,
): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ; await wait(pollIntervalMs)) {
    const found = await poll();
    if (found !== undefined && found !== false) return found;
    if (Date.now() >= deadline) throw new Error(`${awaited}: not within ${String(timeoutMs)} ms`);
  }
}

const pollIntervalMs = 50;
