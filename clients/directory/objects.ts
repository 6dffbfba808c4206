import { undefinedIfNotFound } from '../common/service-error.js';
import { segment } from '../common/url.js';
import { deltaOf, type DeltaOptions, type DeltaPage } from './delta.js';
import type { CallOptions, DirectoryConnection, ListOptions, ReadOptions } from './connection.js';
import { count, list, send } from './request.js';

/** A collection that can be read. */
export interface ReadableObjects<T> {
  /** @throws ServiceError 404 (Request_ResourceNotFound) when there is none. */
  get(id: string, options?: ReadOptions): Promise<T>;
  /** Like `get`, but undefined when there is none. */
  find(id: string, options?: ReadOptions): Promise<T | undefined>;
  /**
   * Iterates over all objects. Pages are fetched as they are read; breaking the loop stops the
   * requests.
   */
  list(options?: ListOptions): AsyncIterable<T>;
  /** The number of objects, by `/$count`. */
  count(options?: CallOptions & Pick<ListOptions, 'filter' | 'search'>): Promise<number>;
  /**
   * Iterates over changes page by page, for collections of directory objects; the last page has the
   * link for the next round.
   */
  delta(options?: DeltaOptions): AsyncIterable<DeltaPage<T>>;
}

/** A collection that can be read and changed. `Draft` is the type that `create` takes. */
export interface Objects<T, Draft = Partial<T>> extends ReadableObjects<T> {
  create(draft: Draft, call?: CallOptions): Promise<T>;
  /** Changes only the given properties; null clears one. */
  update(id: string, changes: Partial<Draft>, call?: CallOptions): Promise<void>;
  /** @throws ServiceError 404 when there is none. */
  delete(id: string, call?: CallOptions): Promise<void>;
}

/** The read operations of a collection below the version segment, such as `groups`. */
export function readableObjects<T>(
  connection: DirectoryConnection,
  collection: string,
): ReadableObjects<T> {
  const get = (id: string, options?: ReadOptions): Promise<T> =>
    send<T>(connection, 'GET', `${collection}/${segment(id)}`, undefined, options);
  return {
    get,
    find: (id, options) => undefinedIfNotFound(get(id, options)),
    list: (options) => list<T>(connection, collection, options),
    count: (options) => count(connection, collection, options),
    delta: (options) => deltaOf<T>(connection, collection, options),
  };
}

/** The read and write operations of a collection below the version segment. */
export function objects<T, Draft = Partial<T>>(
  connection: DirectoryConnection,
  collection: string,
): Objects<T, Draft> {
  return {
    ...readableObjects<T>(connection, collection),
    create: (draft, call) => send<T>(connection, 'POST', collection, draft, call),
    update: (id, changes, call) =>
      send<void>(connection, 'PATCH', `${collection}/${segment(id)}`, changes, call),
    delete: (id, call) =>
      send<void>(connection, 'DELETE', `${collection}/${segment(id)}`, undefined, call),
  };
}

/**
 * A collection that belongs to an object, such as the settings of a group: every call takes the id
 * of that object first.
 */
export interface ContainedObjects<T, Draft = Partial<T>> {
  list(ownerId: string, options?: ListOptions): AsyncIterable<T>;
  get(ownerId: string, id: string, call?: CallOptions): Promise<T>;
  /** @throws ServiceError 409 when a name is taken. */
  create(ownerId: string, draft: Draft, call?: CallOptions): Promise<T>;
  delete(ownerId: string, id: string, call?: CallOptions): Promise<void>;
}

/**
 * The operations of a collection that belongs to objects of another one: those of
 * `ContainedObjects`, and `update`, which only some collections support.
 */
export function containedObjects<T, Draft = Partial<T>>(
  connection: DirectoryConnection,
  ownerCollection: string,
  collection: string,
) {
  const collectionPath = (ownerId: string): string =>
    `${ownerCollection}/${segment(ownerId)}/${collection}`;
  const objectPath = (ownerId: string, id: string): string =>
    `${collectionPath(ownerId)}/${segment(id)}`;
  return {
    list: (ownerId: string, options?: ListOptions) =>
      list<T>(connection, collectionPath(ownerId), options),
    get: (ownerId: string, id: string, call?: CallOptions) =>
      send<T>(connection, 'GET', objectPath(ownerId, id), undefined, call),
    create: (ownerId: string, draft: Draft, call?: CallOptions) =>
      send<T>(connection, 'POST', collectionPath(ownerId), draft, call),
    update: (ownerId: string, id: string, changes: Partial<T>, call?: CallOptions) =>
      send<void>(connection, 'PATCH', objectPath(ownerId, id), changes, call),
    delete: (ownerId: string, id: string, call?: CallOptions) =>
      send<void>(connection, 'DELETE', objectPath(ownerId, id), undefined, call),
  };
}
