import { badRequest, denied } from '../http/errors.js';
import type { Directory } from '../kernel/directory.js';
import type { Body, StoredObject } from '../store/objects.js';
import { isUnified } from './kinds.js';
import { invalidValue } from './property-checks.js';
import { groupSetting, tenantSetting } from './settings.js';

/** A classification must be one of the list that the tenant's setting names, where it names one. @throws DirectoryError 400. */
export async function checkClassification(directory: Directory, given: Body): Promise<void> {
  const value = given['classification'];
  if (typeof value !== 'string') return;
  const list = ((await tenantSetting(directory, 'Group.Unified', 'ClassificationList')) ?? '').split(',').map((each) => each.trim());
  const allowed = list.filter(Boolean);
  if (allowed.length > 0 && !allowed.includes(value)) throw invalidValue('classification', `allowed are ${allowed.join(', ')}`);
}

/** The classification of unified groups that name none. */
export async function defaultClassification(directory: Directory, group: Body): Promise<Body> {
  if (!isUnified(group) || (group['classification'] ?? null) !== null) return {};
  const value = await tenantSetting(directory, 'Group.Unified', 'DefaultClassification');
  return value ? { classification: value } : {};
}

/** People without a role may create groups unless the tenant's setting says no; then those of one group still may. @throws DirectoryError 403. */
export async function requireCreationAllowed(directory: Directory, group: Body, creator: StoredObject | undefined): Promise<void> {
  const template = isUnified(group) ? 'Group.Unified' : 'Group.Security';
  if ((await tenantSetting(directory, template, 'EnableGroupCreation'))?.toLowerCase() !== 'false') return;
  const allowed = await tenantSetting(directory, 'Group.Unified', 'GroupCreationAllowedGroupId');
  const container = allowed ? await directory.objects.getOfType('group', allowed) : undefined;
  if (container && creator && (await directory.links.isInside(container, creator))) return;
  throw denied("Insufficient privileges to complete the operation: the tenant's settings don't let people without a role create groups.");
}

/** Guests may be added unless a setting of the group or of the tenant says no. @throws DirectoryError 400. */
export async function checkGuestAllowed(directory: Directory, group: StoredObject, member: StoredObject): Promise<void> {
  if (member.type !== 'user' || member.body['userType'] !== 'Guest') return;
  const template = isUnified(group.body) ? 'Group.Unified.Guest' : 'Group.Security.Policies';
  const own = await groupSetting(directory, group.id, template, 'AllowToAddGuests');
  const tenant = isUnified(group.body) ? await tenantSetting(directory, 'Group.Unified', 'AllowToAddGuests') : undefined;
  if ((own ?? tenant)?.toLowerCase() === 'false') throw badRequest('The settings of the group do not allow guests to be added.', 'members');
}
