import { segment } from '../common/url.js';
import {
  type CallOptions,
  type DirectoryConnection,
  type ListOptions,
  quote,
} from './connection.js';
import { count, list, referenceTo, send } from './request.js';
import type { DirectoryObject } from './types/directory-object.js';

/** A relationship that can be read, such as the transitive members of a group. */
export interface RelatedObjects<T = DirectoryObject> {
  /** @param id the id of the object that the relationship belongs to. */
  list(id: string, options?: ListOptions): AsyncIterable<T>;
  /** The number of references, by `/$count`. */
  count(id: string, call?: CallOptions): Promise<number>;
}

/** A relationship of references, such as the members of a group. */
export interface References<T = DirectoryObject> extends RelatedObjects<T> {
  /** Adds a reference. @throws ServiceError 400 when it exists, 404 when the target doesn't. */
  add(id: string, targetId: string, call?: CallOptions): Promise<void>;
  /** Removes a reference, not the object. @throws ServiceError 404 when it doesn't exist. */
  remove(id: string, targetId: string, call?: CallOptions): Promise<void>;
  /** Whether the reference exists. */
  has(id: string, targetId: string, call?: CallOptions): Promise<boolean>;
}

/** The read operations of a relationship of a collection's objects. */
export function relatedObjects<T = DirectoryObject>(
  connection: DirectoryConnection,
  collection: string,
  name: string,
): RelatedObjects<T> {
  const path = (id: string): string => `${collection}/${segment(id)}/${name}`;
  return {
    list: (id, options) => list<T>(connection, path(id), options),
    count: (id, call) => count(connection, path(id), call),
  };
}

/** The operations of a relationship of references. */
export function references<T = DirectoryObject>(
  connection: DirectoryConnection,
  collection: string,
  name: string,
): References<T> {
  const path = (id: string): string => `${collection}/${segment(id)}/${name}`;
  return {
    ...relatedObjects<T>(connection, collection, name),
    add: (id, targetId, call) => addReference(connection, path(id), targetId, call),
    remove: (id, targetId, call) =>
      send<void>(connection, 'DELETE', `${path(id)}/${segment(targetId)}/$ref`, undefined, call),
    async has(id, targetId, call) {
      for await (const _found of list(connection, path(id), {
        filter: `id eq ${quote(targetId)}`,
        select: ['id'],
        ...call,
      }))
        return true;
      return false;
    },
  };
}

/** Adds a reference to the relationship at a path. */
export function addReference(
  connection: DirectoryConnection,
  path: string,
  targetId: string,
  call?: CallOptions,
): Promise<void> {
  const reference = { '@odata.id': referenceTo(connection, targetId, call) };
  return send<void>(connection, 'POST', `${path}/$ref`, reference, call);
}
