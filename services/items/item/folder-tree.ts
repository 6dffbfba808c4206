import type { EnteredWorkspace } from '../access/roles.js';
import { isUuid } from '../http/body.js';
import type { Call } from '../http/call.js';
import { Problem } from '../http/problem.js';
import { assertFolder } from './new-item.js';

/**
 * Where a listing looks, by its `rootFolderId` and `recursive` (default true).
 *
 * @returns everywhere in the workspace, at its top only, or in the folders with these ids.
 */
export async function belowFolder(call: Call, entered: EnteredWorkspace): Promise<'everywhere' | 'top' | readonly string[]> {
  const root = call.query.get('rootFolderId')?.toLowerCase() ?? null;
  const recursive = isRecursive(call);
  if (root === null || root === '') return recursive ? 'everywhere' : 'top';
  if (!isUuid(root)) throw new Problem('InvalidParameter', 'rootFolderId must be a UUID.');
  await assertFolder(call, entered, root);
  return recursive ? descendants(call, entered.workspace.id, root) : [root];
}

/** The `recursive` option. @throws Problem 400 for anything but true and false */
export function isRecursive(call: Call): boolean {
  const value = call.query.get('recursive') ?? 'true';
  if (!/^(true|false)$/i.test(value)) throw new Problem('InvalidParameter', `recursive "${value}" is not allowed: it is true or false.`);
  return value.toLowerCase() === 'true';
}

/** A folder and every folder below it. */
export async function descendants(call: Call, workspaceId: string, root: string): Promise<readonly string[]> {
  const folders = await call.runtime.db
    .selectFrom('items_folder')
    .select(['id', 'parent_id'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const children = new Map<string, string[]>();
  for (const { id, parent_id } of folders) children.set(parent_id, [...(children.get(parent_id) ?? []), id]);
  const found = [root];
  for (let index = 0; index < found.length; index++) found.push(...(children.get(found[index] ?? '') ?? []));
  return found;
}
