import { type ListableStore, purgeIntervalMs } from './entry-store.js';
import type { SecondsClock } from '../seconds-clock.js';

interface MemoryEntry {
  readonly value: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A store in this process's memory: the fastest, for one process whose entries need not survive it.
 */
export function openMemoryStore(now: SecondsClock): ListableStore {
  const entries = new Map<string, MemoryEntry>();
  const unexpiredValue = (key: string): string | undefined => {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresAt > now() ? entry.value : undefined;
  };
  const purge = setInterval(() => {
    const time = now();
    for (const [key, { expiresAt }] of entries) if (expiresAt <= time) entries.delete(key);
  }, purgeIntervalMs);
  purge.unref();
  return {
    read: (keys) => keys.map(unexpiredValue),
    write: (key, value, expiresAt) => void entries.set(key, { value, expiresAt }),
    add: (key, value, expiresAt) => {
      if (unexpiredValue(key) !== undefined) return false;
      entries.set(key, { value, expiresAt });
      return true;
    },
    remove: (key) => void entries.delete(key),
    list: (prefix) =>
      [...entries].flatMap(([key, { value, expiresAt }]) =>
        key.startsWith(prefix) && expiresAt > now() ? [[key, value] as const] : [],
      ),
    close: () => {
      clearInterval(purge);
      return Promise.resolve();
    },
  };
}
