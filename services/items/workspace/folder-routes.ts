import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { folderName } from '../../../kinds/workspace/workspace.js';
import { type EnteredWorkspace, findWorkspace, requireAccess } from '../access/roles.js';
import { bodyOf, Checks, isUuid } from '../http/body.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { continuationOf, page, pageSize } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import { belowFolder, descendants } from '../item/folder-tree.js';
import { assertFolder } from '../item/new-item.js';
import type { FolderTable } from '../store/tables.js';
import { isUniqueViolation, nameKey } from '../store/unique.js';

const path = '/workspaces/:workspaceId/folders';

/** Folders of a workspace. */
export const folderRoutes: readonly Route[] = [
  { method: 'POST', path, summary: 'Create a folder', success: 201, handler: create },
  { method: 'GET', path, summary: 'List folders', handler: list },
  { method: 'GET', path: `${path}/:folderId`, summary: 'Get a folder', handler: get },
  { method: 'PATCH', path: `${path}/:folderId`, summary: 'Rename a folder', handler: rename },
  { method: 'POST', path: `${path}/:folderId/move`, summary: 'Move a folder', handler: move },
  { method: 'DELETE', path: `${path}/:folderId`, summary: 'Delete a folder', handler: remove },
];

type FolderRow = Selectable<FolderTable>;

async function create(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  requireAccess(call, entered, 'Contributor', { to: 'write' });
  const body = bodyOf(call);
  const checks = new Checks('InvalidInput');
  const displayName = checkName(checks, body['displayName']);
  const parentId = checks.uuid('parentFolderId', body['parentFolderId']);
  checks.done();
  if (parentId !== undefined) await assertFolder(call, entered, parentId);
  const values = {
    id: randomUUID(),
    workspace_id: entered.workspace.id,
    parent_id: parentId ?? '',
    display_name: displayName,
    name_key: nameKey(displayName),
  };
  try {
    await call.runtime.db.insertInto('items_folder').values(values).execute();
  } catch (error) {
    throw isUniqueViolation(error) ? nameInUse(displayName) : error;
  }
  return created(view(values), `${call.origin}${call.path}/${values.id}`);
}

async function list(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  requireAccess(call, entered, 'Viewer', { to: 'read' });
  const after = continuationOf(call);
  const where = await belowFolder(call, entered);
  let query = call.runtime.db
    .selectFrom('items_folder')
    .selectAll()
    .where('workspace_id', '=', entered.workspace.id)
    .where('seq', '>', after);
  if (where !== 'everywhere') query = query.where('parent_id', 'in', where === 'top' ? [''] : [...where]);
  const rows = await query
    .orderBy('seq')
    .limit(pageSize + 1)
    .execute();
  return page(call, rows, rows.slice(0, pageSize).map(view));
}

async function get(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  const folder = await findFolder(call, entered);
  requireAccess(call, entered, 'Viewer', { to: 'read' });
  return ok(view(folder));
}

async function rename(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  const folder = await findFolder(call, entered);
  requireAccess(call, entered, 'Contributor', { to: 'write' });
  const checks = new Checks('InvalidRequest');
  const displayName = checkName(checks, bodyOf(call)['displayName']);
  checks.done();
  return change(call, folder, { display_name: displayName, name_key: nameKey(displayName) });
}

async function move(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  const folder = await findFolder(call, entered);
  requireAccess(call, entered, 'Contributor', { to: 'write' });
  const { targetFolderId = null } = bodyOf(call);
  if (targetFolderId !== null && !isUuid(targetFolderId)) throw new Problem('InvalidInput', 'targetFolderId must be a UUID.');
  const target = targetFolderId?.toLowerCase() ?? '';
  if (target !== '') await assertFolder(call, entered, target);
  if ((await descendants(call, entered.workspace.id, folder.id)).includes(target))
    throw new Problem('InvalidInput', 'A folder can not be moved into itself or into a folder below it.');
  return change(call, folder, { parent_id: target });
}

async function remove(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  const folder = await findFolder(call, entered);
  requireAccess(call, entered, 'Contributor', { to: 'write' });
  await call.runtime.db.transaction().execute(async (transaction) => {
    const item = await transaction.selectFrom('items_item').select('id').where('folder_id', '=', folder.id).limit(1).executeTakeFirst();
    const child = await transaction.selectFrom('items_folder').select('id').where('parent_id', '=', folder.id).limit(1).executeTakeFirst();
    if (item || child) throw new Problem('FolderNotEmpty', 'The folder is not empty: move or delete what is in it first.');
    await transaction.deleteFrom('items_folder').where('id', '=', folder.id).execute();
  });
  return ok();
}

async function change(call: Call, folder: FolderRow, values: Partial<FolderRow>): Promise<Answer> {
  try {
    await call.runtime.db.updateTable('items_folder').set(values).where('id', '=', folder.id).execute();
  } catch (error) {
    throw isUniqueViolation(error) ? nameInUse(values.display_name ?? folder.display_name) : error;
  }
  return ok(view({ ...folder, ...values }));
}

async function findFolder(call: Call, { workspace }: EnteredWorkspace): Promise<FolderRow> {
  const id = call.params['folderId'] ?? '';
  const query = call.runtime.db.selectFrom('items_folder').selectAll().where('id', '=', id).where('workspace_id', '=', workspace.id);
  const folder = isUuid(id) ? await query.executeTakeFirst() : undefined;
  if (folder) return folder;
  throw new Problem('FolderNotFound', `The folder ${id} could not be found in the workspace.`);
}

function view({ id, display_name, workspace_id, parent_id }: Omit<FolderRow, 'seq'>): Record<string, unknown> {
  return { id, displayName: display_name, workspaceId: workspace_id, ...(parent_id === '' ? {} : { parentFolderId: parent_id }) };
}

function checkName(checks: Checks, value: unknown): string {
  const name = checks.value('displayName', value, folderName);
  if (name?.trim() === '' || value === undefined || value === null) checks.fail('displayName is required and must not be empty.');
  return name ?? '';
}

function nameInUse(displayName: string): Problem {
  return new Problem('FolderDisplayNameAlreadyInUse', `There is a folder named "${displayName}" in the same place already.`, {
    isRetriable: false,
  });
}
