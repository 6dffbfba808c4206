import { relatedResourceOption } from '../access/workspace-access.js';
import { Problem } from '../http/problem.js';
import type { ItemsReader } from '../store/tables.js';

/** The folders of a workspace, as they contain each other. */
export interface FolderTree {
  /** The level of a folder, 1 at the top; 0 for the workspace itself, `''`. */
  level(id: string): number;
  /** A folder and every folder below it. */
  withDescendants(id: string): readonly string[];
}

/** Reads the folders of a workspace. */
export async function readFolderTree(db: ItemsReader, workspaceId: string): Promise<FolderTree> {
  const folders = await db
    .selectFrom('items_folder')
    .select(['id', 'parent_id'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const parents = new Map(folders.map(({ id, parent_id }) => [id, parent_id]));
  const children = new Map<string, string[]>();
  for (const { id, parent_id } of folders)
    children.set(parent_id, [...(children.get(parent_id) ?? []), id]);
  const level = (id: string): number => (id === '' ? 0 : 1 + level(parents.get(id) ?? ''));
  return {
    level,
    withDescendants(rootId) {
      const ids = [rootId];
      for (let index = 0; index < ids.length; index++)
        ids.push(...(children.get(ids[index] ?? '') ?? []));
      return ids;
    },
  };
}

/** @throws Problem 404 when the workspace does not have the folder */
export async function assertFolder(
  db: ItemsReader,
  workspaceId: string,
  folderId: string,
): Promise<void> {
  const query = db
    .selectFrom('items_folder')
    .select('id')
    .where('id', '=', folderId)
    .where('workspace_id', '=', workspaceId);
  if (await query.executeTakeFirst()) return;
  throw new Problem(
    'FolderNotFound',
    `The folder ${folderId} could not be found in the workspace.`,
    relatedResourceOption(folderId, 'Folder'),
  );
}
