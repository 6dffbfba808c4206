import type { EntryStore, Soon } from './entry-store.js';

/**
 * A store that is opened when it is first asked: a sidecar that no one has signed in to yet does without the database's memory. What
 * can't be opened fails the request, and readiness, and is tried again with the next.
 *
 * @param onError called with the reason when it could not be opened.
 */
export function openLater(open: () => Promise<EntryStore>, onError: (error: Error) => void): EntryStore {
  let store: EntryStore | undefined;
  let opening: Promise<EntryStore> | undefined;
  const opened = (): Promise<EntryStore> =>
    (opening ??= open().then(
      (each) => (store = each),
      (error: Error) => {
        opening = undefined;
        onError(error);
        throw error;
      },
    ));
  const ask = <T>(question: (each: EntryStore) => Soon<T>): Soon<T> => (store === undefined ? opened().then(question) : question(store));
  return {
    read: (keys) => ask((each) => each.read(keys)),
    write: (key, value, expiresAt) => ask((each) => each.write(key, value, expiresAt)),
    add: (key, value, expiresAt) => ask((each) => each.add(key, value, expiresAt)),
    remove: (key) => ask((each) => each.remove(key)),
    close: async () => {
      await opening?.then(
        (each) => each.close(),
        () => undefined, // it was never open
      );
    },
  };
}
