import { group as description, membershipMatrix } from '../../../kinds/group/group.js';
import type { Directory } from '../kernel/directory.js';
import { badRequest, linkQuotaExceeded, referenceExists, referenceMissing, denied } from '../http/answers.js';
import type { StoredObject } from '../store/objects.js';
import { isUnified, isDynamic, memberKindOf } from './kinds.js';
import { checkGuestAllowed } from './settings.js';

/** What can own a group. */
export const ownerTypes: readonly string[] = ['user', 'servicePrincipal'];

/** Adds owners: users or service principals, at most 100. Call inside a write. @throws DirectoryError */
export async function addOwners(directory: Directory, group: StoredObject, owners: readonly StoredObject[]): Promise<void> {
  for (const owner of owners) {
    if (!ownerTypes.includes(owner.type))
      throw badRequest(`An object of type '${owner.type}' cannot own a group: owners are users or service principals.`, 'owners');
  }
  const present = await directory.links.count(group, 'owners');
  const { maxItems } = description.properties.owners;
  for (const owner of owners) if (!(await directory.links.add(group, 'owners', owner))) throw referenceExists('owners');
  if (present + owners.length > maxItems) throw linkQuotaExceeded('owners', present + owners.length, maxItems);
}

/** Removes an owner; a unified group keeps its last one. Call inside a write. @throws DirectoryError */
export async function removeOwner(directory: Directory, group: StoredObject, owner: StoredObject | undefined): Promise<void> {
  if (owner === undefined || !(await directory.links.has(group, 'owners', owner))) throw referenceMissing('owners');
  if (isUnified(group.body) && (await directory.links.count(group, 'owners')) === 1)
    throw badRequest('The group must have at least one owner, hence this owner cannot be removed.', 'owners');
  await directory.links.remove(group, 'owners', owner);
}

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
function checkMayBelong(group: StoredObject, member: StoredObject): void {
  if (member.id === group.id) throw badRequest('A group cannot be a member of itself.', 'members');
  const container = isUnified(group.body) ? 'unified' : 'security';
  const kind = memberKindOf(member);
  if (kind !== undefined && membershipMatrix[kind][container]) return;
  throw badRequest(`An object of type '${kind ?? member.type}' cannot be a member of a ${container} group.`, 'members');
}
