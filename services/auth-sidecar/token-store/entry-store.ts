import type { MaybePromise } from '../maybe-promise.js';

/**
 * Stores what a cookie cannot: ended sessions, used states, encrypted tokens. Every entry expires.
 */
export interface EntryStore {
  /** The entries of the keys, in their order. @throws when the store cannot be reached. */
  read(keys: readonly string[]): MaybePromise<readonly (string | undefined)[]>;
  /** @param expiresAt seconds since 1970. */
  write(key: string, value: string, expiresAt: number): MaybePromise<void>;
  /** Writes an entry only if there is none; false if there is one: for one-time values. */
  add(key: string, value: string, expiresAt: number): MaybePromise<boolean>;
  remove(key: string): MaybePromise<void>;
  close(): Promise<void>;
}

/** A store whose entries can be listed. */
export interface ListableStore extends EntryStore {
  /** The entries whose keys start with a prefix of letters and dashes, in any order. */
  list(prefix: string): MaybePromise<readonly Entry[]>;
}

/** How often stores delete expired entries, in milliseconds. */
export const purgeIntervalMs = 60_000;

/** An entry's key and value. */
export type Entry = readonly [key: string, value: string];
