import { createClient } from '@redis/client';
import { type Entry, inTime, type ListableStore, type Seconds } from './entry-store.js';

const prefix = 'castellan:auth-sidecar:';
const patience = 3000;

/**
 * A store in Redis, shared by any number of replicas. Commands fail at once while it can't be
 * reached, so that no session is accepted unchecked.
 */
export async function openRedisStore(
  url: string,
  now: Seconds,
  onError: (error: Error) => void,
): Promise<ListableStore> {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: 10_000,
    socket: {
      connectTimeout: patience,
      socketTimeout: 60_000,
      reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, 2000),
    },
    pingInterval: 20_000,
  });
  let lastFailure: Error | undefined;
  client.on('error', (error: Error) => {
    lastFailure = withCode(error);
    onError(lastFailure);
  });
  try {
    await inTime(client.connect(), patience);
    await inTime(client.get(`${prefix}readiness`), patience); // a server that requires a password lets anyone connect
  } catch (error) {
    client.destroy();
    throw lastFailure ?? withCode(error as Error); // the client retries forever: the cause of the failure is more helpful than a timeout
  }
  const lifetime = (expiresAt: number): number => Math.max(1, expiresAt - now());
  return {
    read: async (keys) => {
      const values = await inTime(client.mGet(keys.map((key) => prefix + key)), patience);
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
      for await (const keys of client.scanIterator({ MATCH: `${prefix}${start}*`, COUNT: 1000 })) {
        if (keys.length === 0) continue;
        const values = await inTime(client.mGet(keys), patience);
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
