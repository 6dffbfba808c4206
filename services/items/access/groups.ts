import type { Call } from '../http/call.js';
import type { ItemsDatabase } from '../store/tables.js';

const known = new WeakMap<Call, Promise<readonly string[]>>();

/**
 * The groups that the caller is in: those that the token names, and those that the directory beside knows of (nested ones included);
 * without a directory, those that the seed gives the caller to.
 */
export function groupsOf(call: Call): Promise<readonly string[]> {
  let groups = known.get(call);
  if (!groups) known.set(call, (groups = findGroups(call)));
  return groups;
}

async function findGroups({ caller, runtime }: Call): Promise<readonly string[]> {
  const named = [...(caller.groups ?? [])];
  const id = caller.objectId.toLowerCase();
  if (id === '') return named;
  const found = runtime.groupsOf === undefined ? await seededGroups(runtime.db, id) : await runtime.groupsOf(id);
  return [...new Set([...named, ...found])];
}

async function seededGroups(db: ItemsDatabase, objectId: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let members = [objectId]; members.length > 0;) {
    const rows = await db.selectFrom('items_group_member').select('group_id').where('member_id', 'in', members).execute();
    members = [...new Set(rows.map(({ group_id }) => group_id))].filter((id) => !found.has(id));
    for (const id of members) found.add(id);
  }
  return [...found];
}
