import {
  createClient,
  createCluster,
  createSentinel,
  type RedisClientOptions,
  type SetOptions,
} from '@redis/client';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { withTimeout } from '../with-timeout.js';

/** One Redis server, a master that Sentinels know, or a cluster, by the commands that are used. */
export interface RedisDeployment {
  connect(): Promise<unknown>;
  /** The values of keys, in their order. */
  get(keys: readonly string[]): Promise<readonly (string | null)[]>;
  set(key: string, value: string, options: SetOptions): Promise<unknown>;
  del(key: string): Promise<unknown>;
  /** The keys that fit a pattern; one may come twice. */
  keys(pattern: string): AsyncIterable<readonly string[]>;
  onError(listener: (error: Error) => void): void;
  destroy(): void;
}

/** How long connecting, or a command, may take, in milliseconds. */
export const redisTimeoutMs = 3000;
/** How soon a cluster is asked for its nodes when one of them can't be reached, in milliseconds. */
const rediscoveryMs = 1000;
const socketOptions = {
  connectTimeout: redisTimeoutMs,
  socketTimeout: 60_000,
  reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, 2000),
};
/** Commands fail at once while a server can't be reached. */
const commonOptions = {
  disableOfflineQueue: true,
  commandsQueueMaxLength: 10_000,
  pingInterval: 20_000,
  socket: socketOptions,
} satisfies RedisClientOptions;

/**
 * The deployment of a URL: `redis://…`, `redis-sentinel://HOST:PORT,…/MASTER` or
 * `redis-cluster://HOST:PORT,…`, each with `rediss` for TLS, and `USER:PASSWORD@` before the hosts.
 *
 * @throws Error for anything else
 */
export function redisDeployment(url: string): RedisDeployment {
  const match = multipleHostsUrl.exec(url);
  if (match === null) return singleServer(url);
  const [, scheme = '', kind, credentials, hosts = '', master = ''] = match;
  const [username = '', password] = (credentials ?? '').split(':').map(decodeURIComponent);
  const options: RedisClientOptions = {
    ...commonOptions,
    ...(username !== '' && { username }),
    ...omitUndefined({ password }),
  };
  const addresses = hosts.split(',');
  if (kind === 'cluster') return cluster(scheme, addresses, options);
  return sentinel(scheme === 'rediss', addresses, master, options);
}

const multipleHostsUrl =
  /^(rediss?)-(sentinel|cluster):\/\/(?:([^@/]*)@)?((?:[^,:/@]+:\d+)(?:,[^,:/@]+:\d+)*)(?:\/([\w.-]*))?$/;

function singleServer(url: string): RedisDeployment {
  const client = createClient({ ...commonOptions, url });
  return {
    connect: () => client.connect(),
    get: (keys) => client.mGet([...keys]),
    set: (key, value, options) => client.set(key, value, options),
    del: (key) => client.del(key),
    keys: (pattern) => scan(client, pattern),
    onError: (listener) => void client.on('error', listener),
    destroy: () => client.destroy(),
  };
}

function sentinel(
  tls: boolean,
  addresses: readonly string[],
  name: string,
  { socket: _socket, ...options }: RedisClientOptions,
): RedisDeployment {
  const socket = tls ? { ...socketOptions, tls } : socketOptions;
  const client = createSentinel({
    name,
    sentinelRootNodes: addresses.map((address) => {
      const [host = '', port] = address.split(':');
      return { host, port: Number(port) };
    }),
    nodeClientOptions: { ...options, socket },
    sentinelClientOptions: { socket },
    passthroughClientErrorEvents: true,
    scanInterval: 2000,
  });
  return {
    connect: () => client.connect(),
    get: (keys) => client.mGet([...keys]),
    set: (key, value, options) => client.set(key, value, options),
    del: (key) => client.del(key),
    keys: (pattern) => scan(client, pattern),
    onError: (listener) => void client.on('error', (error) => listener(causeOf(error))),
    destroy: () => void client.destroy(),
  };
}

/** A client's own error, which the Sentinels' client wraps in an error of its own. */
function causeOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  return error.cause instanceof Error ? error.cause : error;
}

/**
 * The client asks a cluster for its nodes anew only when one of them says that keys have moved. A
 * master that is gone says nothing: when a node can't be reached, a new client asks, and replaces
 * this one when it has reached all current nodes.
 */
function cluster(
  scheme: string,
  addresses: readonly string[],
  defaults: RedisClientOptions,
): RedisDeployment {
  const rootNodes = addresses.map((address) => ({ url: `${scheme}://${address}` }));
  const { url: _url, ...nodeOptions } = defaults;
  const listeners: ((error: Error) => void)[] = [];
  let rediscovery: NodeJS.Timeout | undefined;
  const create = () => {
    const newClient = createCluster({ rootNodes, defaults: nodeOptions as object });
    newClient.on('error', (error: Error) => listeners.forEach((listener) => listener(error)));
    newClient.on('node-error', () => {
      if (newClient === client) rediscovery ??= setTimeout(() => void rediscover(), rediscoveryMs);
    });
    return newClient;
  };
  let client = create();
  let isDestroyed = false;
  const rediscover = async (): Promise<void> => {
    const [before, next] = [client, create()];
    const isComplete = await withTimeout(next.connect(), redisTimeoutMs).then(
      () => true,
      () => false, // the client in use reports what it can't reach
    );
    rediscovery = undefined;
    if (isDestroyed || !isComplete) next.destroy();
    else {
      client = next;
      setTimeout(() => before.destroy(), redisTimeoutMs).unref(); // its commands have ended by then
    }
  };
  return {
    connect: () => client.connect(),
    // MGET takes keys of one hash slot only, and those of a session are in several.
    get: (keys) => Promise.all(keys.map((key) => client.get(key))),
    set: (key, value, options) => client.set(key, value, options),
    del: (key) => client.del(key),
    keys: async function* (pattern) {
      for (const master of client.masters) yield* scan(await client.nodeClient(master), pattern);
    },
    onError: (listener) => void listeners.push(listener),
    destroy: () => {
      isDestroyed = true;
      clearTimeout(rediscovery);
      client.destroy();
    },
  };
}

interface Scannable {
  scan(
    cursor: string,
    options: { readonly MATCH: string; readonly COUNT: number },
  ): Promise<{ readonly cursor: string; readonly keys: readonly string[] }>;
}

async function* scan(client: Scannable, pattern: string): AsyncGenerator<readonly string[]> {
  let cursor = '0';
  do {
    const result = await client.scan(cursor, { MATCH: pattern, COUNT: 1000 });
    ({ cursor } = result);
    if (result.keys.length > 0) yield result.keys;
  } while (cursor !== '0');
}
