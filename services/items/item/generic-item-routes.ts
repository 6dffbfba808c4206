import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { routesInWorkspace } from '../access/workspace-operation.js';
import {
  type WorkspaceAccess,
  findItem,
  type RequiredScope,
  requireScope,
} from '../access/workspace-access.js';
import { isGuid } from '../../../core/values/guid.js';
import { isObject } from '../../../core/values/is-object.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { pageAnswer } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import type { ItemsRuntime } from '../runtime.js';
import { type ItemRow, type ItemsTransaction, lockWorkspace, nameKey } from '../store/tables.js';
import { assertFolder } from '../workspace/folder-tree.js';
import { viewItem } from './item-view.js';

const itemPath = '/workspaces/:workspaceId/items/:itemId';
const changeOperation = {
  method: 'POST',
  minimumRole: 'Contributor',
  scopeAccess: 'write',
} as const;

/**
 * The operations that only the generic `/items` endpoints have: tagging and moving an item. Also
 * the tags themselves, which administrators of the tenant manage.
 */
export const genericItemRoutes: readonly Route[] = [
  ...routesInWorkspace<ItemRow>(
    [
      {
        ...changeOperation,
        path: `${itemPath}/applyTags`,
        summary: 'Put tags on an item',
        run: (call, _access, item) => changeTags(call, item, 'apply'),
      },
      {
        ...changeOperation,
        path: `${itemPath}/unapplyTags`,
        summary: 'Take tags off an item',
        run: (call, _access, item) => changeTags(call, item, 'unapply'),
      },
      {
        ...changeOperation,
        path: `${itemPath}/move`,
        summary: 'Move an item to another folder',
        run: moveItem,
      },
    ],
    (call, access) => findItem(call, access, undefined),
    (item) => item.type,
  ),
  {
    method: 'GET',
    path: '/tags',
    summary: 'List tags',
    handler: (call) => listTags(call, { access: 'read' }),
  },
  {
    method: 'GET',
    path: '/admin/tags',
    summary: 'List the tags of the tenant',
    handler: (call) => listTags(call, { access: 'read', type: 'Tenant' }),
  },
  {
    method: 'POST',
    path: '/admin/tags/bulkCreateTags',
    summary: 'Create tags',
    success: 201,
    handler: createTags,
  },
  { method: 'PATCH', path: '/admin/tags/:tagId', summary: 'Rename a tag', handler: renameTag },
  { method: 'DELETE', path: '/admin/tags/:tagId', summary: 'Delete a tag', handler: deleteTag },
];

async function changeTags(call: Call, item: ItemRow, action: 'apply' | 'unapply'): Promise<Answer> {
  const { tags } = call.json();
  if (!Array.isArray(tags) || !tags.every(isGuid))
    throw new Problem('InvalidInput', 'tags must be a list of tag ids (UUIDs).');
  const ids = [...new Set(tags.map((id) => id.toLowerCase()))];
  if (ids.length === 0) return ok();
  const { db } = call.runtime;
  const existing = await db.selectFrom('items_tag').select('id').where('id', 'in', ids).execute();
  const missing = ids.find((id) => !existing.some((tag) => tag.id === id));
  if (missing !== undefined)
    throw new Problem('TagNotFound', `The tag ${missing} could not be found.`);
  if (action === 'unapply')
    await db
      .deleteFrom('items_item_tag')
      .where('item_id', '=', item.id)
      .where('tag_id', 'in', ids)
      .execute();
  else
    await db
      .insertInto('items_item_tag')
      .values(ids.map((id) => ({ item_id: item.id, tag_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return ok();
}

async function moveItem(call: Call, access: WorkspaceAccess, item: ItemRow): Promise<Answer> {
  const { targetFolderId = null } = call.json();
  if (targetFolderId !== null && !isGuid(targetFolderId))
    throw new Problem('InvalidInput', 'targetFolderId must be a UUID.');
  const folderId = targetFolderId?.toLowerCase() ?? null;
  const { workspace } = access;
  const { db } = call.runtime;
  await db.transaction().execute(async (transaction) => {
    await lockWorkspace(transaction, workspace.id);
    if (folderId !== null) await assertFolder(transaction, workspace.id, folderId);
    // Children of an item, such as the databases of an eventhouse, move with it.
    await transaction
      .updateTable('items_item')
      .set({ folder_id: folderId })
      .where((column) => column.or([column('id', '=', item.id), column('parent_id', '=', item.id)]))
      .execute();
  });
  return ok({
    value: [
      await viewItem(
        call.runtime,
        db,
        { ...item, folder_id: folderId },
        { includeProperties: false, includeIdentity: false },
      ),
    ],
  });
}

function viewTag({
  id,
  display_name,
}: {
  id: string;
  display_name: string;
}): Record<string, unknown> {
  return { id, displayName: display_name, scope: { type: 'Tenant' } };
}

function listTags(call: Call, requiredScope: RequiredScope): Promise<Answer> {
  requireScope(call, requiredScope);
  return pageAnswer(call, call.runtime.db.selectFrom('items_tag').selectAll(), (rows) =>
    rows.map(viewTag),
  );
}

async function createTags(call: Call): Promise<Answer> {
  requireScope(call, { access: 'write', type: 'Tenant' });
  const { createTagsRequest: requests } = call.json();
  if (!Array.isArray(requests) || requests.length === 0 || !requests.every(isObject))
    throw new Problem(
      'InvalidInput',
      'createTagsRequest must be a list of objects with a displayName.',
    );
  const tags = requests.map(({ displayName }) => ({
    id: randomUUID(),
    display_name: readTagName(displayName),
  }));
  await call.runtime.db.transaction().execute(async (transaction) => {
    await lockTagNames(transaction, call.runtime);
    for (const tag of tags) {
      await assertTagNameFree(transaction, tag.display_name);
      await transaction.insertInto('items_tag').values(tag).execute();
    }
  });
  return created({ tags: tags.map(viewTag) });
}

async function renameTag(call: Call): Promise<Answer> {
  requireScope(call, { access: 'write', type: 'Tenant' });
  const id = await findTagId(call);
  const tag = { id, display_name: readTagName(call.json()['displayName']) };
  await call.runtime.db.transaction().execute(async (transaction) => {
    await lockTagNames(transaction, call.runtime);
    await assertTagNameFree(transaction, tag.display_name, id);
    await transaction
      .updateTable('items_tag')
      .set({ display_name: tag.display_name })
      .where('id', '=', id)
      .execute();
  });
  return ok(viewTag(tag));
}

async function deleteTag(call: Call): Promise<Answer> {
  requireScope(call, { access: 'write', type: 'Tenant' });
  const id = await findTagId(call);
  await call.runtime.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('items_item_tag').where('tag_id', '=', id).execute();
    await transaction.deleteFrom('items_tag').where('id', '=', id).execute();
  });
  return ok();
}

async function findTagId(call: Call): Promise<string> {
  const id = call.params['tagId'] ?? '';
  const tag = isGuid(id)
    ? await call.runtime.db
        .selectFrom('items_tag')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (tag === undefined) throw new Problem('TagNotFound', `The tag ${id} could not be found.`);
  return tag.id;
}

/** Lets no other transaction write tags until this one ends; SQLite runs one at a time anyway. */
async function lockTagNames(
  transaction: ItemsTransaction,
  { databaseEngine }: ItemsRuntime,
): Promise<void> {
  if (databaseEngine === 'postgres')
    await sql`lock table items_tag in share row exclusive mode`.execute(transaction);
}

/** @throws Problem 409 when another tag has the name, in any letter case. */
async function assertTagNameFree(
  transaction: ItemsTransaction,
  name: string,
  exceptId?: string,
): Promise<void> {
  const tags = await transaction.selectFrom('items_tag').select(['id', 'display_name']).execute();
  if (tags.some((tag) => tag.id !== exceptId && nameKey(tag.display_name) === nameKey(name)))
    throw new Problem('TagAlreadyExists', `There is a tag named "${name}" already.`, {
      status: 409,
      isRetriable: false,
    });
}

function readTagName(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw new Problem('InvalidInput', 'displayName must be a non-empty string.');
  const length = [...value].length;
  if (length > maxTagNameLength)
    throw new Problem(
      'InvalidInput',
      `displayName has ${length} characters; at most ${maxTagNameLength} are allowed.`,
    );
  return value;
}

/** In characters. */
const maxTagNameLength = 40;
