import { type Entry, inTime, type ListableStore, type Seconds } from './entry-store.js';
import { patience, redisDeployment } from './redis-deployment.js';

const prefix = 'castellan:auth-sidecar:';

/**
 * A store in Redis, in Redis behind Sentinels or in a cluster, shared by any number of replicas. Commands fail at once while it can't be
 * reached, so that no session is accepted unchecked.
 */
export async function openRedisStore(
  url: string,
  now: Seconds,
  onError: (error: Error) => void,
): Promise<ListableStore> {
  const client = redisDeployment(url);
  let lastFailure: Error | undefined;
  client.onError((error) => {
    lastFailure = withCode(error);
    onError(lastFailure);
  });
  try {
    await inTime(client.connect(), patience);
    await inTime(client.get([`${prefix}readiness`]), patience); // a server that requires a password lets anyone connect
  } catch (error) {
    client.destroy();
    throw lastFailure ?? withCode(error as Error); // the client retries forever: the cause of the failure is more helpful than a timeout
  }
  const lifetime = (expiresAt: number): number => Math.max(1, expiresAt - now());
  return {
    read: async (keys) => {
      const values = await inTime(client.get(keys.map((key) => prefix + key)), patience);
      return values.map((value) => (typeof value === 'string' ? value : undefined));
    },
    write: async (key, value, expiresAt) => {
      await inTime(client.set(prefix + key, value, { EX: lifetime(expiresAt) }), patience);
    },
    add: async (key, value, expiresAt) =>
      (await inTime(
        client.set(prefix + key, value, { EX: lifetime(expiresAt), NX: true }),
        patience,
      )) !== null,
    remove: async (key) => {
      await inTime(client.del(prefix + key), patience);
    },
    list: async (start) => {
      const found: Entry[] = [];
      for await (const keys of client.keys(`${prefix}${start}*`)) {
        const values = await inTime(client.get(keys), patience);
        values.forEach((value, index) => {
          const key = keys[index]?.slice(prefix.length);
          if (typeof value === 'string' && key !== undefined) found.push([key, value]);
        });
      }
      // A key may be scanned twice.
      return [...new Map(found)];
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
  const word = /^[A-Z]{3,20}(?= )/.exec(error.message)?.[0];
  return word === undefined || 'code' in error ? error : Object.assign(error, { code: word });
}
