import { findItem, findWorkspace, requireAccess } from '../access/roles.js';
import { type Need, requireScope } from '../access/scopes.js';
import { bodyOf, isUuid } from '../http/body.js';
import { type Answer, type Call, ok, type Route } from '../http/call.js';
import { continuationOf, page, pageSize } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import { assertFolder } from './new-item.js';
import { viewItem } from './view.js';

/** What only the generic family offers: tags and moving. */
export const genericItemRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/workspaces/:workspaceId/items/:itemId/applyTags',
    summary: 'Put tags on an item',
    handler: (call) => changeTags(call, 'apply'),
  },
  {
    method: 'POST',
    path: '/workspaces/:workspaceId/items/:itemId/unapplyTags',
    summary: 'Take tags off an item',
    handler: (call) => changeTags(call, 'unapply'),
  },
  { method: 'POST', path: '/workspaces/:workspaceId/items/:itemId/move', summary: 'Move an item to another folder', handler: move },
  { method: 'GET', path: '/tags', summary: 'List tags', handler: (call) => listTags(call) },
];

async function changeTags(call: Call, what: 'apply' | 'unapply'): Promise<Answer> {
  const entered = await findWorkspace(call);
  const item = await findItem(call, entered, undefined);
  requireAccess(call, entered, 'Contributor', { to: 'write', type: item.type });
  const { tags } = bodyOf(call);
  if (!Array.isArray(tags) || !tags.every(isUuid)) throw new Problem('InvalidInput', 'tags must be a list of tag ids (UUIDs).');
  const ids = [...new Set(tags.map((id) => id.toLowerCase()))];
  if (ids.length === 0) return ok();
  const { db } = call.runtime;
  const known = await db.selectFrom('items_tag').select('id').where('id', 'in', ids).execute();
  const unknown = ids.find((id) => !known.some((tag) => tag.id === id));
  if (unknown !== undefined) throw new Problem('TagNotFound', `The tag ${unknown} could not be found.`);
  if (what === 'unapply') await db.deleteFrom('items_item_tag').where('item_id', '=', item.id).where('tag_id', 'in', ids).execute();
  else
    await db
      .insertInto('items_item_tag')
      .values(ids.map((id) => ({ item_id: item.id, tag_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return ok();
}

async function move(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  const item = await findItem(call, entered, undefined);
  requireAccess(call, entered, 'Contributor', { to: 'write', type: item.type });
  const { targetFolderId = null } = bodyOf(call);
  if (targetFolderId !== null && !isUuid(targetFolderId)) throw new Problem('InvalidInput', 'targetFolderId must be a UUID.');
  const folderId = targetFolderId?.toLowerCase() ?? null;
  if (folderId !== null) await assertFolder(call, entered, folderId);
  const { db } = call.runtime;
  // What belongs to an item, such as the databases of an eventhouse, lies where it lies.
  await db
    .updateTable('items_item')
    .set({ folder_id: folderId })
    .where((column) => column.or([column('id', '=', item.id), column('parent_id', '=', item.id)]))
    .execute();
  return ok({ value: [await viewItem(call.runtime, db, { ...item, folder_id: folderId }, { properties: false, identity: false })] });
}

/** A tag as answers show it. */
export function viewTag({ id, display_name }: { id: string; display_name: string }): Record<string, unknown> {
  return { id, displayName: display_name, scope: { type: 'Tenant' } };
}

/** The tags of the tenant, page by page. */
export async function listTags(call: Call, need: Need = { to: 'read' }): Promise<Answer> {
  requireScope(call, need);
  const after = continuationOf(call);
  const rows = await call.runtime.db
    .selectFrom('items_tag')
    .selectAll()
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(pageSize + 1)
    .execute();
  return page(call, rows, rows.slice(0, pageSize).map(viewTag));
}
