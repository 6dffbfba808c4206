import { membershipMatrix } from '../../../kinds/group/group.js';
import type { Directory } from '../kernel/directory.js';
import { badRequest, denied, referenceExists, referenceMissing } from '../http/errors.js';
import type { StoredObject } from '../store/objects.js';
import { checkGuestAllowed } from './setting-effects.js';
import { isDynamic, isUnified, memberKindOf } from './kinds.js';

/** Adds members by hand, all or nothing. Call inside a write. @throws DirectoryError */
export async function addMembers(directory: Directory, group: StoredObject, members: readonly StoredObject[]): Promise<void> {
  if (members.length > 0) requireStatic(group);
  for (const member of members) {
    checkMayBelong(group, member);
    await checkGuestAllowed(directory, group, member);
    if (!(await directory.links.add(group, 'members', member))) throw referenceExists('members');
  }
}

/** Removes a member by hand. Call inside a write. @throws DirectoryError */
export async function removeMember(directory: Directory, group: StoredObject, member: StoredObject | undefined): Promise<void> {
  requireStatic(group);
  if (member === undefined || !(await directory.links.remove(group, 'members', member))) throw referenceMissing('members');
}

/** The membership of a dynamic group follows its rule only. @throws DirectoryError 403. */
function requireStatic(group: StoredObject): void {
  if (isDynamic(group.body))
    throw denied('Insufficient privileges to complete the operation: the membership of a dynamic group follows its rule.');
}

/** The two membership tables. @throws DirectoryError 400. */
export function checkMayBelong(group: StoredObject, member: StoredObject): void {
  if (member.id === group.id) throw badRequest('A group cannot be a member of itself.', 'members');
  const container = isUnified(group.body) ? 'unified' : 'security';
  const kind = memberKindOf(member);
  if (kind !== undefined && membershipMatrix[kind][container]) return;
  throw badRequest(`An object of type '${kind ?? member.type}' cannot be a member of a ${container} group.`, 'members');
}
