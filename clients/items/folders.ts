import { entriesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import { type CallOptions, type ItemsConnection, signalOf } from './connection.js';

/** A folder in a workspace. */
export interface Folder {
  readonly id: string;
  readonly displayName: string;
  readonly workspaceId: string;
  /** Absent at the root of the workspace. */
  readonly parentFolderId?: string;
}

/** Folders of a workspace. */
export interface Folders {
  create(
    workspaceId: string,
    folder: { readonly displayName: string; readonly parentFolderId?: string },
    call?: CallOptions,
  ): Promise<Folder>;
  get(workspaceId: string, folderId: string, call?: CallOptions): Promise<Folder>;
  list(
    workspaceId: string,
    options?: CallOptions & {
      /** Only folders in this one. @default the root of the workspace */
      readonly rootFolderId?: string;
      /** Includes subfolders of subfolders. @default true */
      readonly recursive?: boolean;
    },
  ): AsyncIterable<Folder>;
  rename(
    workspaceId: string,
    folderId: string,
    displayName: string,
    call?: CallOptions,
  ): Promise<Folder>;
  /** Moves a folder into another one, or to the root of the workspace. */
  move(
    workspaceId: string,
    folderId: string,
    targetFolderId: string | undefined,
    call?: CallOptions,
  ): Promise<Folder>;
  delete(workspaceId: string, folderId: string, call?: CallOptions): Promise<void>;
}

/** The folder endpoints. */
export function folders({ http, send }: ItemsConnection): Folders {
  const path = (workspaceId: string, folderId?: string, action = ''): string =>
    `/v1/workspaces/${segment(workspaceId)}/folders${folderId === undefined ? '' : `/${segment(folderId)}`}${action}`;
  return {
    create: (workspaceId, folder, call) =>
      send('POST', path(workspaceId), call, { body: folder, expect: [201] }),
    get: (workspaceId, folderId, call) => send('GET', path(workspaceId, folderId), call),
    list(workspaceId, options) {
      const { rootFolderId, recursive } = options ?? {};
      return entriesOf<Folder>(http, {
        path: path(workspaceId),
        query: { rootFolderId, recursive },
        ...signalOf(options),
      });
    },
    rename: (workspaceId, folderId, displayName, call) =>
      send('PATCH', path(workspaceId, folderId), call, { body: { displayName } }),
    move: (workspaceId, folderId, targetFolderId, call) =>
      send('POST', path(workspaceId, folderId, '/move'), call, {
        body: targetFolderId === undefined ? {} : { targetFolderId },
      }),
    delete: (workspaceId, folderId, call) => send('DELETE', path(workspaceId, folderId), call),
  };
}
