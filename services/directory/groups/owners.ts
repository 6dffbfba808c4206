import { group as description } from '../../../kinds/group/group.js';
import type { Directory } from '../kernel/directory.js';
import { badRequest, linkQuotaExceeded, referenceExists, referenceMissing } from '../http/errors.js';
import type { StoredObject } from '../store/objects.js';
import { isUnified } from './kinds.js';

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
