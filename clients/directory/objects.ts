import { unlessGone } from '../common/service-error.js';
import { segment } from '../common/url.js';
import { deltaOf, type DeltaOptions, type DeltaPage } from './delta.js';
import type { CallOptions, DirectoryConnection, ListOptions, ReadOptions } from './options.js';
import { count, list, send } from './request.js';

/** A collection that can be read. */
export interface ReadableObjects<T> {
  /** @throws ServiceError 404 (Request_ResourceNotFound) when there is none. */
  get(id: string, options?: ReadOptions): Promise<T>;
  /** Like `get`, but undefined when there is none. */
  find(id: string, options?: ReadOptions): Promise<T | undefined>;
  /** Every object, page by page; stop reading and no further page is asked for. */
  list(options?: ListOptions): AsyncIterable<T>;
  /** How many there are, by `/$count`. */
  count(options?: CallOptions & Pick<ListOptions, 'filter' | 'search'>): Promise<number>;
  /** What has changed, page by page, for collections of directory objects; the last page says where to go on. */
  delta(options?: DeltaOptions): AsyncIterable<DeltaPage<T>>;
}

/** A collection with the usual operations. `Draft` is what a create takes. */
export interface Objects<T, Draft = Partial<T>> extends ReadableObjects<T> {
  create(draft: Draft, call?: CallOptions): Promise<T>;
  /** Changes the given properties only; null clears one. */
  update(id: string, changes: Partial<Draft>, call?: CallOptions): Promise<void>;
  /** @throws ServiceError 404 when there is none. */
  delete(id: string, call?: CallOptions): Promise<void>;
}

/** The read operations of a collection below the version segment, such as `groups`. */
export function readableObjects<T>(connection: DirectoryConnection, collection: string): ReadableObjects<T> {
  const get = (id: string, options?: ReadOptions): Promise<T> =>
    send<T>(connection, 'GET', `${collection}/${segment(id)}`, undefined, options);
  return {
    get,
    find: (id, options) => unlessGone(get(id, options)),
    list: (options) => list<T>(connection, collection, options),
    count: (options) => count(connection, collection, options),
    delta: (options) => deltaOf<T>(connection, collection, options),
  };
}

/** The usual operations of a collection below the version segment. */
export function objects<T, Draft = Partial<T>>(connection: DirectoryConnection, collection: string): Objects<T, Draft> {
  return {
    ...readableObjects<T>(connection, collection),
    create: (draft, call) => send<T>(connection, 'POST', collection, draft, call),
    update: (id, changes, call) => send<void>(connection, 'PATCH', `${collection}/${segment(id)}`, changes, call),
    delete: (id, call) => send<void>(connection, 'DELETE', `${collection}/${segment(id)}`, undefined, call),
  };
}
