import { randomUUID } from 'node:crypto';
import { requireScope } from '../access/scopes.js';
import { bodyOf, isJsonObject, isUuid } from '../http/body.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { Problem } from '../http/problem.js';
import type { ItemsTransaction } from '../store/tables.js';
import { nameKey } from '../store/unique.js';
import { listTags, viewTag } from './tag-routes.js';

/** Characters of a tag's name. */
const longestName = 40;

/** The administration of the tenant's tags. */
export const tagAdminRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/admin/tags',
    summary: 'List the tags of the tenant',
    handler: (call) => listTags(call, { to: 'read', type: 'Tenant' }),
  },
  { method: 'POST', path: '/admin/tags/bulkCreateTags', summary: 'Create tags', success: 201, handler: createTags },
  { method: 'PATCH', path: '/admin/tags/:tagId', summary: 'Rename a tag', handler: renameTag },
  { method: 'DELETE', path: '/admin/tags/:tagId', summary: 'Delete a tag', handler: deleteTag },
];

async function createTags(call: Call): Promise<Answer> {
  requireScope(call, { to: 'write', type: 'Tenant' });
  const { createTagsRequest: wanted } = bodyOf(call);
  if (!Array.isArray(wanted) || wanted.length === 0 || !wanted.every(isJsonObject))
    throw new Problem('InvalidInput', 'createTagsRequest must be a list of objects with a displayName.');
  const tags = wanted.map(({ displayName }) => ({ id: randomUUID(), display_name: checkName(displayName) }));
  await call.runtime.db.transaction().execute(async (transaction) => {
    for (const tag of tags) {
      await requireFree(transaction, tag.display_name);
      await transaction.insertInto('items_tag').values(tag).execute();
    }
  });
  return created({ tags: tags.map(viewTag) });
}

async function renameTag(call: Call): Promise<Answer> {
  requireScope(call, { to: 'write', type: 'Tenant' });
  const id = await requireTag(call);
  const tag = { id, display_name: checkName(bodyOf(call)['displayName']) };
  await call.runtime.db.transaction().execute(async (transaction) => {
    await requireFree(transaction, tag.display_name, id);
    await transaction.updateTable('items_tag').set({ display_name: tag.display_name }).where('id', '=', id).execute();
  });
  return ok(viewTag(tag));
}

async function deleteTag(call: Call): Promise<Answer> {
  requireScope(call, { to: 'write', type: 'Tenant' });
  const id = await requireTag(call);
  await call.runtime.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('items_item_tag').where('tag_id', '=', id).execute();
    await transaction.deleteFrom('items_tag').where('id', '=', id).execute();
  });
  return ok();
}

async function requireTag(call: Call): Promise<string> {
  const id = call.params['tagId'] ?? '';
  const found = isUuid(id) ? await call.runtime.db.selectFrom('items_tag').select('id').where('id', '=', id).executeTakeFirst() : undefined;
  if (found === undefined) throw new Problem('TagNotFound', `The tag ${id} could not be found.`);
  return found.id;
}

/** @throws Problem 409 when another tag has the name, letter case ignored. */
async function requireFree(transaction: ItemsTransaction, name: string, own?: string): Promise<void> {
  const tags = await transaction.selectFrom('items_tag').select(['id', 'display_name']).execute();
  if (tags.some((tag) => tag.id !== own && nameKey(tag.display_name) === nameKey(name)))
    throw new Problem('TagAlreadyExists', `There is a tag named "${name}" already.`, { status: 409, isRetriable: false });
}

function checkName(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw new Problem('InvalidInput', 'displayName must be a non-empty string.');
  const length = [...value].length;
  if (length > longestName) throw new Problem('InvalidInput', `displayName has ${length} characters; at most ${longestName} are allowed.`);
  return value;
}
