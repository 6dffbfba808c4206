import { inDialect, dialectWords } from '../../core/dialect/dialect.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { segment } from '../common/url.js';
import { readableObjects } from './objects.js';
import type { CallOptions, DirectoryConnection, ListOptions, ReadOptions } from './connection.js';
import { list, send } from './request.js';
import type { DirectoryObject } from './types/directory-object.js';

/** The types of objects that {@link DeletedItems.list} lists. */
export type DeletableType =
  'group' | 'user' | 'application' | 'servicePrincipal' | 'administrativeUnit' | 'device';

/** Objects of any type by id; answers always carry `@odata.type`. */
export interface DirectoryObjects {
  get(id: string, options?: ReadOptions): Promise<DirectoryObject>;
  find(id: string, options?: ReadOptions): Promise<DirectoryObject | undefined>;
  /** Up to 1,000 objects at once; unknown ids are ignored. */
  getByIds(
    ids: readonly string[],
    types?: readonly string[],
    call?: CallOptions,
  ): Promise<readonly DirectoryObject[]>;
  /** Which of up to 20 groups an object is in, directly or transitively. */
  checkMemberGroups(
    id: string,
    groupIds: readonly string[],
    call?: CallOptions,
  ): Promise<readonly string[]>;
  /** All groups that an object is in, directly or transitively. */
  getMemberGroups(
    id: string,
    options?: CallOptions & {
      /** Leaves out groups that are not security-enabled. @default false */
      readonly securityEnabledOnly?: boolean;
    },
  ): Promise<readonly string[]>;
  /**
   * Which of up to 20 groups, roles and administrative units an object is in, directly or
   * transitively.
   */
  checkMemberObjects(
    id: string,
    ids: readonly string[],
    call?: CallOptions,
  ): Promise<readonly string[]>;
  /** All groups, roles and administrative units that an object is in, directly or transitively. */
  getMemberObjects(
    id: string,
    options?: CallOptions & {
      /** Leaves out groups that are not security-enabled. @default false */
      readonly securityEnabledOnly?: boolean;
    },
  ): Promise<readonly string[]>;
}

/** Deleted objects, which can be restored for 30 days. */
export interface DeletedItems {
  list<T extends DirectoryObject>(type: DeletableType, options?: ListOptions): AsyncIterable<T>;
  get(id: string, call?: CallOptions): Promise<DirectoryObject>;
  restore(id: string, call?: CallOptions): Promise<DirectoryObject>;
  /** Deletes permanently. */
  purge(id: string, call?: CallOptions): Promise<void>;
}

/** The endpoints of objects of any type. */
export function directoryObjects(connection: DirectoryConnection): DirectoryObjects {
  const { get, find } = readableObjects<DirectoryObject>(connection, 'directoryObjects');
  const postAction = async (
    id: string,
    action: string,
    body: unknown,
    call?: CallOptions,
  ): Promise<readonly string[]> =>
    (
      await send<{ value: readonly string[] }>(
        connection,
        'POST',
        `directoryObjects/${segment(id)}/${action}`,
        body,
        call,
      )
    ).value;
  return {
    get,
    find,
    async getByIds(ids, types, call) {
      const body = { ids, ...omitUndefined({ types }) };
      return (
        await send<{ value: readonly DirectoryObject[] }>(
          connection,
          'POST',
          'directoryObjects/getByIds',
          body,
          call,
        )
      ).value;
    },
    checkMemberGroups: (id, groupIds, call) =>
      postAction(id, 'checkMemberGroups', { groupIds }, call),
    getMemberGroups: (id, options) =>
      postAction(
        id,
        'getMemberGroups',
        { securityEnabledOnly: options?.securityEnabledOnly ?? false },
        options,
      ),
    checkMemberObjects: (id, ids, call) => postAction(id, 'checkMemberObjects', { ids }, call),
    getMemberObjects: (id, options) =>
      postAction(
        id,
        'getMemberObjects',
        { securityEnabledOnly: options?.securityEnabledOnly ?? false },
        options,
      ),
  };
}

/** The endpoints of deleted objects. */
export function deletedItems(connection: DirectoryConnection): DeletedItems {
  const namespace = inDialect(dialectWords.directoryNamespace, connection.http.dialect);
  const path = (id: string, action = ''): string =>
    `directory/deletedItems/${segment(id)}${action}`;
  return {
    list: (type, options) =>
      list(connection, `directory/deletedItems/${namespace}.${type}`, options),
    get: (id, call) => send(connection, 'GET', path(id), undefined, call),
    restore: (id, call) => send(connection, 'POST', path(id, '/restore'), undefined, call),
    purge: (id, call) => send<void>(connection, 'DELETE', path(id), undefined, call),
  };
}
