import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { folderName, workspace as workspaceKind } from '../../../kinds/workspace/workspace.js';
import { routesInWorkspace } from '../access/workspace-operation.js';
import type { WorkspaceAccess } from '../access/workspace-access.js';
import { BodyChecks } from '../http/body-checks.js';
import { isGuid } from '../../../core/values/guid.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { pageAnswer } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import {
  type FolderTable,
  type ItemsTransaction,
  lockWorkspace,
  mapUniqueViolation,
  nameKey,
} from '../store/tables.js';
import { assertFolder, readFolderTree } from './folder-tree.js';

const foldersPath = '/workspaces/:workspaceId/folders';
const folderPath = `${foldersPath}/:folderId`;

type FolderRow = Selectable<FolderTable>;

/** Folders of a workspace. */
export const folderRoutes: readonly Route[] = [
  ...routesInWorkspace([
    {
      method: 'POST',
      path: foldersPath,
      summary: 'Create a folder',
      success: 201,
      minimumRole: 'Contributor',
      scopeAccess: 'write',
      run: createFolder,
    },
    {
      method: 'GET',
      path: foldersPath,
      summary: 'List folders',
      minimumRole: 'Viewer',
      scopeAccess: 'read',
      run: listFolders,
    },
  ]),
  ...routesInWorkspace(
    [
      {
        method: 'GET',
        path: folderPath,
        summary: 'Get a folder',
        minimumRole: 'Viewer',
        scopeAccess: 'read',
        run: async (_call, _access, folder) => ok(viewFolder(folder)),
      },
      {
        method: 'PATCH',
        path: folderPath,
        summary: 'Rename a folder',
        minimumRole: 'Contributor',
        scopeAccess: 'write',
        run: renameFolder,
      },
      {
        method: 'POST',
        path: `${folderPath}/move`,
        summary: 'Move a folder',
        minimumRole: 'Contributor',
        scopeAccess: 'write',
        run: moveFolder,
      },
      {
        method: 'DELETE',
        path: folderPath,
        summary: 'Delete a folder',
        minimumRole: 'Contributor',
        scopeAccess: 'write',
        run: deleteFolder,
      },
    ],
    findFolder,
  ),
];

async function createFolder(call: Call, access: WorkspaceAccess): Promise<Answer> {
  const body = call.json();
  const displayName = readDisplayName(body['displayName']);
  const checks = new BodyChecks('InvalidInput');
  const parentId = checks.uuid('parentFolderId', body['parentFolderId']) ?? '';
  checks.throwIfInvalid();
  const { workspace } = access;
  const values = {
    id: randomUUID(),
    workspace_id: workspace.id,
    parent_id: parentId,
    display_name: displayName,
    name_key: nameKey(displayName),
  };
  const creation = call.runtime.db.transaction().execute(async (transaction) => {
    await lockWorkspace(transaction, workspace.id);
    if (parentId !== '') {
      await assertFolder(transaction, workspace.id, parentId);
      const tree = await readFolderTree(transaction, workspace.id);
      checkDepth(tree.level(parentId) + 1);
    }
    await transaction.insertInto('items_folder').values(values).execute();
  });
  await mapUniqueViolation(creation, () => nameInUse(displayName));
  return created(viewFolder(values), `${call.origin}${call.path}/${values.id}`);
}

async function listFolders(call: Call, access: WorkspaceAccess): Promise<Answer> {
  const scope = await foldersToList(call, access);
  const folders = call.runtime.db
    .selectFrom('items_folder')
    .selectAll()
    .where('workspace_id', '=', access.workspace.id);
  const query =
    scope === 'everywhere'
      ? folders
      : folders.where('parent_id', 'in', scope === 'top' ? [''] : [...scope]);
  return pageAnswer(call, query, (rows) => rows.map(viewFolder));
}

async function renameFolder(
  call: Call,
  _access: WorkspaceAccess,
  folder: FolderRow,
): Promise<Answer> {
  const displayName = readDisplayName(call.json()['displayName']);
  return updateFolder(call, folder, { display_name: displayName, name_key: nameKey(displayName) });
}

async function moveFolder(call: Call, access: WorkspaceAccess, folder: FolderRow): Promise<Answer> {
  const { targetFolderId = null } = call.json();
  if (targetFolderId !== null && !isGuid(targetFolderId))
    throw new Problem('InvalidInput', 'targetFolderId must be a UUID.');
  const target = targetFolderId?.toLowerCase() ?? '';
  const { workspace } = access;
  return updateFolder(call, folder, { parent_id: target }, async (transaction) => {
    await lockWorkspace(transaction, workspace.id);
    if (target !== '') await assertFolder(transaction, workspace.id, target);
    const tree = await readFolderTree(transaction, workspace.id);
    const moved = tree.withDescendants(folder.id);
    if (moved.includes(target))
      throw new Problem(
        'InvalidInput',
        'A folder can not be moved into itself or into a folder below it.',
      );
    const deepest = Math.max(...moved.map((id) => tree.level(id)));
    checkDepth(tree.level(target) + 1 + deepest - tree.level(folder.id));
  });
}

async function deleteFolder(
  call: Call,
  _access: WorkspaceAccess,
  folder: FolderRow,
): Promise<Answer> {
  await call.runtime.db.transaction().execute(async (transaction) => {
    await lockWorkspace(transaction, folder.workspace_id);
    const item = await transaction
      .selectFrom('items_item')
      .select('id')
      .where('folder_id', '=', folder.id)
      .limit(1)
      .executeTakeFirst();
    const child = await transaction
      .selectFrom('items_folder')
      .select('id')
      .where('parent_id', '=', folder.id)
      .limit(1)
      .executeTakeFirst();
    if (item || child)
      throw new Problem(
        'FolderNotEmpty',
        'The folder is not empty: move or delete what is in it first.',
      );
    await transaction.deleteFrom('items_folder').where('id', '=', folder.id).execute();
  });
  return ok();
}

/** @param check called in the transaction of the update, before it. */
async function updateFolder(
  call: Call,
  folder: FolderRow,
  values: Partial<FolderRow>,
  check: (transaction: ItemsTransaction) => Promise<void> = () => Promise.resolve(),
): Promise<Answer> {
  const update = call.runtime.db.transaction().execute(async (transaction) => {
    await check(transaction);
    await transaction.updateTable('items_folder').set(values).where('id', '=', folder.id).execute();
  });
  await mapUniqueViolation(update, () => nameInUse(values.display_name ?? folder.display_name));
  return ok(viewFolder({ ...folder, ...values }));
}

async function findFolder(call: Call, { workspace }: WorkspaceAccess): Promise<FolderRow> {
  const id = call.params['folderId'] ?? '';
  const query = call.runtime.db
    .selectFrom('items_folder')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspace.id);
  const folder = isGuid(id) ? await query.executeTakeFirst() : undefined;
  if (folder) return folder;
  throw new Problem('FolderNotFound', `The folder ${id} could not be found in the workspace.`);
}

function viewFolder({
  id,
  display_name,
  workspace_id,
  parent_id,
}: Omit<FolderRow, 'seq'>): Record<string, unknown> {
  return {
    id,
    displayName: display_name,
    workspaceId: workspace_id,
    ...(parent_id !== '' && { parentFolderId: parent_id }),
  };
}

function readDisplayName(value: unknown): string {
  if (typeof value !== 'string')
    throw new Problem('InvalidInput', 'displayName is required and must be a non-empty string.');
  const mistake = mistakeIn(folderName, value);
  if (mistake === undefined) return value;
  throw new Problem('InvalidFolderDisplayName', `displayName is not allowed: ${mistake.message}.`);
}

/** @param level the level of the deepest folder after a change. @throws Problem 400 */
function checkDepth(level: number): void {
  const { folderLevels } = workspaceKind.limits;
  if (level > folderLevels)
    throw new Problem(
      'FolderDepthOutOfRange',
      `Folders can be nested up to ${folderLevels} levels, and this would be level ${level}.`,
    );
}

function nameInUse(displayName: string): Problem {
  return new Problem(
    'FolderDisplayNameAlreadyInUse',
    `There is a folder named "${displayName}" in the same place already.`,
    {
      isRetriable: false,
    },
  );
}

/**
 * The folders of a listing, by its `rootFolderId` and `recursive` (default true).
 *
 * @returns the whole workspace, its top level only, or the folders with these ids.
 */
export async function foldersToList(
  call: Call,
  access: WorkspaceAccess,
): Promise<'everywhere' | 'top' | readonly string[]> {
  const rootId = call.query.get('rootFolderId')?.toLowerCase() ?? null;
  const recursive = isRecursive(call);
  if (rootId === null || rootId === '') return recursive ? 'everywhere' : 'top';
  if (!isGuid(rootId)) throw new Problem('InvalidParameter', 'rootFolderId must be a UUID.');
  const { db } = call.runtime;
  const { workspace } = access;
  await assertFolder(db, workspace.id, rootId);
  return recursive ? (await readFolderTree(db, workspace.id)).withDescendants(rootId) : [rootId];
}

/** The `recursive` option. @throws Problem 400 for anything but true and false */
export function isRecursive(call: Call): boolean {
  const value = call.query.get('recursive') ?? 'true';
  if (!/^(true|false)$/i.test(value))
    throw new Problem(
      'InvalidParameter',
      `recursive "${value}" is not allowed: it is true or false.`,
    );
  return value.toLowerCase() === 'true';
}
