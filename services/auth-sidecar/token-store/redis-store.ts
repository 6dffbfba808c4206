import type { Entry, ListableStore } from './entry-store.js';
import { withTimeout } from '../with-timeout.js';
import type { SecondsClock } from '../seconds-clock.js';
import { redisTimeoutMs, redisDeployment } from './redis-deployment.js';

const prefix = 'castellan:auth-sidecar:';

/**
 * A store in Redis, in Redis behind Sentinels or in a cluster, shared by any number of replicas.
 * Commands fail at once while it can't be reached, so that no session is accepted unchecked.
 */
export async function openRedisStore(
  url: string,
  now: SecondsClock,
  onError: (error: Error) => void,
): Promise<ListableStore> {
  const client = redisDeployment(url);
  let lastFailure: Error | undefined;
  client.onError((error) => {
    lastFailure = withCode(error);
    onError(lastFailure);
  });
  try {
    await withTimeout(client.connect(), redisTimeoutMs);
    await withTimeout(client.get([`${prefix}readiness`]), redisTimeoutMs); // a server that requires a password lets anyone connect
  } catch (error) {
    client.destroy();
    throw lastFailure ?? withCode(error as Error); // the client retries forever: the cause of the failure is more helpful than a timeout
  }
  const lifetimeSeconds = (expiresAt: number): number => Math.max(1, expiresAt - now());
  return {
    read: async (keys) => {
      const values = await withTimeout(client.get(keys.map((key) => prefix + key)), redisTimeoutMs);
      return values.map((value) => (typeof value === 'string' ? value : undefined));
    },
    write: async (key, value, expiresAt) => {
      await withTimeout(
        client.set(prefix + key, value, { EX: lifetimeSeconds(expiresAt) }),
        redisTimeoutMs,
      );
    },
    add: async (key, value, expiresAt) =>
      (await withTimeout(
        client.set(prefix + key, value, { EX: lifetimeSeconds(expiresAt), NX: true }),
        redisTimeoutMs,
      )) !== null,
    remove: async (key) => {
      await withTimeout(client.del(prefix + key), redisTimeoutMs);
    },
    list: async (keyStart) => {
      const entries: Entry[] = [];
      for await (const keys of client.keys(`${prefix}${keyStart}*`)) {
        const values = await withTimeout(client.get(keys), redisTimeoutMs);
        values.forEach((value, index) => {
          const key = keys[index]?.slice(prefix.length);
          if (typeof value === 'string' && key !== undefined) entries.push([key, value]);
        });
      }
      // A key may be scanned twice.
      return [...new Map(entries)];
    },
    close: async () => {
      client.destroy();
    },
  };
}

/**
 * The server's errors start with a code such as WRONGPASS or NOAUTH, which explains the refusal
 * without the rest.
 */
function withCode(error: Error): Error {
  const code = /^[A-Z]{3,20}(?= )/.exec(error.message)?.[0];
  return code === undefined || 'code' in error ? error : Object.assign(error, { code });
}
