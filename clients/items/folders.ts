import { entriesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import { type CallOptions, type ItemsConnection, signalOf } from './options.js';
import type { Folder } from './workspaces.js';

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
    options?: CallOptions & { readonly rootFolderId?: string; readonly recursive?: boolean },
  ): AsyncIterable<Folder>;
  rename(workspaceId: string, folderId: string, displayName: string, call?: CallOptions): Promise<Folder>;
  /** Moves a folder into another, or to the workspace itself. */
  move(workspaceId: string, folderId: string, targetFolderId: string | undefined, call?: CallOptions): Promise<Folder>;
  delete(workspaceId: string, folderId: string, call?: CallOptions): Promise<void>;
}

/** The folder endpoints. */
export function folders({ http }: ItemsConnection): Folders {
  const path = (workspaceId: string, folderId?: string, verb = ''): string =>
    `/v1/workspaces/${segment(workspaceId)}/folders${folderId === undefined ? '' : `/${segment(folderId)}`}${verb}`;
  return {
    async create(workspaceId, folder, call) {
      return (await http.request<Folder>({ method: 'POST', path: path(workspaceId), body: folder, expect: [201], ...signalOf(call) })).body;
    },
    async get(workspaceId, folderId, call) {
      return (await http.request<Folder>({ method: 'GET', path: path(workspaceId, folderId), ...signalOf(call) })).body;
    },
    list(workspaceId, options) {
      const { rootFolderId, recursive } = options ?? {};
      return entriesOf<Folder>(http, { path: path(workspaceId), query: { rootFolderId, recursive }, ...signalOf(options) });
    },
    async rename(workspaceId, folderId, displayName, call) {
      const request = { method: 'PATCH', path: path(workspaceId, folderId), body: { displayName }, ...signalOf(call) } as const;
      return (await http.request<Folder>(request)).body;
    },
    async move(workspaceId, folderId, targetFolderId, call) {
      const body = targetFolderId === undefined ? {} : { targetFolderId };
      return (await http.request<Folder>({ method: 'POST', path: path(workspaceId, folderId, '/move'), body, ...signalOf(call) })).body;
    },
    async delete(workspaceId, folderId, call) {
      await http.request({ method: 'DELETE', path: path(workspaceId, folderId), ...signalOf(call) });
    },
  };
}
