import { type MembershipRule, parseMembershipRule } from '../../../kinds/membership-rule/index.js';
import { badRequest } from '../http/errors.js';
import type { Body, StoredObject } from '../store/objects.js';
import { isDynamic, isHiddenVisibility, isUnified, kindOf } from './kinds.js';
import { invalidValue } from './property-checks.js';

/** The rules that hold several properties of a whole group together, after a create or an update. */
export function checkGroup(group: Body): void {
  checkKind(group);
  checkRoleAssignable(group);
  if (isHiddenVisibility(group['visibility']) && !isUnified(group))
    throw invalidValue('visibility', 'HiddenMembership is for unified groups only');
  checkMembershipRule(group);
}

function checkKind(group: Body): void {
  if (isUnified(group)) {
    if (group['mailEnabled'] !== true) throw invalidValue('mailEnabled', "'Unified' in groupTypes needs mailEnabled true");
    return;
  }
  const kind = kindOf(group);
  if (kind === 'security') return;
  if (kind === undefined) throw invalidValue('securityEnabled', 'a group that is neither mail-enabled nor security-enabled is no group');
  throw invalidValue('mailEnabled', 'mail-enabled security groups and distribution groups cannot be created or made through this service');
}

function checkRoleAssignable(group: Body): void {
  if (group['isAssignableToRole'] !== true) return;
  if (group['securityEnabled'] !== true) throw invalidValue('isAssignableToRole', 'a role-assignable group must be security-enabled');
  if (isDynamic(group)) throw invalidValue('isAssignableToRole', 'a role-assignable group cannot have dynamic membership');
  if (group['visibility'] === 'Public') throw invalidValue('visibility', 'a role-assignable group is always Private');
}

/** A dynamic group has a rule that parses and suits its kind, and a processing state; a static one has neither. */
function checkMembershipRule(group: Body): void {
  const rule = group['membershipRule'];
  if (!isDynamic(group)) {
    if (rule !== null && rule !== undefined && rule !== '')
      throw invalidValue('membershipRule', 'a membership rule needs DynamicMembership in groupTypes');
    return;
  }
  if (typeof rule !== 'string' || rule.trim() === '')
    throw invalidValue('membershipRule', 'a group with DynamicMembership needs a membership rule');
  const parsed = parseRule(rule);
  if (parsed.subject === 'device' && isUnified(group)) throw invalidValue('membershipRule', 'a unified group takes users only');
}

/** Parses a rule. @throws DirectoryError 400 with the position, under `details` for the property. */
export function parseRule(text: string): MembershipRule {
  const { rule, error } = parseMembershipRule(text);
  if (rule) return rule;
  throw badRequest(`The membership rule is not valid at position ${error.position}: ${error.message}.`, 'membershipRule');
}

/** What can't be changed any more. @throws DirectoryError 400 naming the property. */
export function checkUnchangeable(before: StoredObject, given: Body): void {
  const current = before.body;
  for (const name of ['isAssignableToRole', 'uniqueName'])
    if (
      name in given &&
      (given[name] ?? null) !== (current[name] ?? null) &&
      !(name === 'isAssignableToRole' && !given[name] && !current[name])
    )
      throw badRequest(`Property '${name}' can only be set when the group is created.`, name);
  for (const name of ['resourceBehaviorOptions', 'creationOptions'])
    if (name in given && JSON.stringify(given[name] ?? []) !== JSON.stringify(current[name] ?? []))
      throw badRequest(`Property '${name}' can only be set when the group is created.`, name);
  if ('visibility' in given && isHiddenVisibility(given['visibility']) !== isHiddenVisibility(current['visibility']))
    throw badRequest('HiddenMembership can only be chosen when the group is created, and never be left.', 'visibility');
  if ('groupTypes' in given && isUnified(given) !== isUnified(current))
    throw badRequest("'Unified' cannot be added to or removed from groupTypes of an existing group.", 'groupTypes');
  if ('mailEnabled' in given && given['mailEnabled'] !== current['mailEnabled'])
    throw badRequest('mailEnabled of an existing group cannot be changed.', 'mailEnabled');
}
