import { CastellanError, isCastellanError } from '../../../core/errors/castellan-error.js';
import { urlWithoutSecrets, reasonOf } from '../operations/external-call-error.js';
import type { ListableStore } from './entry-store.js';
import type { SecondsClock } from '../seconds-clock.js';
import type { MaybePromise } from '../maybe-promise.js';
import { openMemoryStore } from './memory-store.js';

/**
 * Opens the store of `--token-store`: `sqlite:PATH`, `redis://…`, `redis-sentinel://…`,
 * `redis-cluster://…` (or `rediss…` for TLS), `postgres://…` or `memory:`.
 *
 * @throws CAS6004 for anything else, CAS6005 when it cannot be reached, CAS4005 without SQLite.
 *   None contains a password.
 */
export async function openStore(
  url: string,
  now: SecondsClock,
  onError: (error: Error) => void,
): Promise<ListableStore> {
  const scheme = url.slice(0, url.indexOf(':') + 1);
  try {
    switch (scheme) {
      case 'memory:':
        return openMemoryStore(now);
      case 'sqlite:':
        if (url.length > scheme.length)
          return (await import('./sqlite-store.js')).openSqliteStore(
            url.slice(scheme.length),
            now,
            onError,
          );
        break;
      case 'redis:':
      case 'rediss:':
      case 'redis-sentinel:':
      case 'rediss-sentinel:':
      case 'redis-cluster:':
      case 'rediss-cluster:':
        return await (await import('./redis-store.js')).openRedisStore(url, now, onError);
      case 'postgres:':
      case 'postgresql:':
        return await (await import('./postgres-store.js')).openPostgresStore(url, now, onError);
    }
  } catch (error) {
    if (isCastellanError(error)) throw error;
    throw new CastellanError(
      'CAS6005',
      `the token store (${urlWithoutSecrets(url)}) can't be opened: ${openFailureReason(error)}`,
    );
  }
  throw new CastellanError(
    'CAS6004',
    '--token-store must be sqlite:PATH, redis://…, redis-sentinel://…, redis-cluster://…, postgres://… or memory:',
  );
}

function openFailureReason(error: unknown): string {
  if ((error as { code?: unknown }).code === 'ERR_DLOPEN_FAILED')
    return `its native module is made for another version of Node than this ${process.version}: npm rebuild better-sqlite3, or redis://…, postgres://… or memory:`;
  return reasonOf(error);
}

/**
 * A store that is opened when it is first asked: a sidecar that no one has signed in to yet does
 * without the database's memory. What can't be opened fails the request, and readiness, and is
 * tried again with the next.
 *
 * @param onError called with the reason when it could not be opened.
 */
export function openOnFirstUse(
  open: () => Promise<ListableStore>,
  onError: (error: Error) => void,
): ListableStore {
  let store: ListableStore | undefined;
  let opening: Promise<ListableStore> | undefined;
  const getStore = (): Promise<ListableStore> =>
    (opening ??= open().then(
      (each) => (store = each),
      (error: Error) => {
        opening = undefined;
        onError(error);
        throw error;
      },
    ));
  const withStore = <T>(operation: (each: ListableStore) => MaybePromise<T>): MaybePromise<T> =>
    store === undefined ? getStore().then(operation) : operation(store);
  return {
    read: (keys) => withStore((each) => each.read(keys)),
    write: (key, value, expiresAt) => withStore((each) => each.write(key, value, expiresAt)),
    add: (key, value, expiresAt) => withStore((each) => each.add(key, value, expiresAt)),
    remove: (key) => withStore((each) => each.remove(key)),
    list: (prefix) => withStore((each) => each.list(prefix)),
    close: async () => {
      await opening?.then(
        (each) => each.close(),
        () => undefined, // it was never open
      );
    },
  };
}
