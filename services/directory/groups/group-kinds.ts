import type { membershipMatrix } from '../../../kinds/group/membership-matrix.js';
import type { Body, StoredObject } from '../store/objects.js';

/** The kinds of groups (directory rules, "Supported group kinds"). */
export type GroupKind = 'unified' | 'security' | 'mailEnabledSecurity' | 'distribution';

/** The kind of a group, from the three properties that decide it. */
export function groupKindOf(body: Body): GroupKind | undefined {
  const [mail, security] = [body['mailEnabled'] === true, body['securityEnabled'] === true];
  if (isUnified(body)) return mail ? 'unified' : undefined;
  if (!mail) return security ? 'security' : undefined;
  return security ? 'mailEnabledSecurity' : 'distribution';
}

/** Whether `groupTypes` contains `Unified`. */
export function isUnified(body: Body): boolean {
  return hasType(body, 'Unified');
}

/** Whether `groupTypes` contains `DynamicMembership`. */
export function isDynamic(body: Body): boolean {
  return hasType(body, 'DynamicMembership');
}

/** Whether groups of this kind are managed through the API; the others are read-only. */
export function isManagedByApi(body: Body): boolean {
  const kind = groupKindOf(body);
  return kind === 'unified' || kind === 'security';
}

/** Whether the membership is hidden from non-members, in either spelling of the value. */
export function hidesMembership(body: Body): boolean {
  return isHiddenVisibility(body['visibility']);
}

/** Whether a visibility is `HiddenMembership`, in either spelling. */
export function isHiddenVisibility(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'hiddenmembership';
}

/**
 * The row of an object in the membership matrix; undefined if it cannot be a member of any group.
 */
export function memberKindOf(object: StoredObject): keyof typeof membershipMatrix | undefined {
  if (object.type !== 'group') return memberKinds[object.type];
  const kind = groupKindOf(object.body);
  if (kind === 'unified') return 'unifiedGroup';
  return kind === 'security' || kind === 'mailEnabledSecurity' ? 'securityGroup' : undefined;
}

const memberKinds: Readonly<Record<string, keyof typeof membershipMatrix>> = {
  user: 'user',
  device: 'device',
  servicePrincipal: 'servicePrincipal',
  orgContact: 'contact',
};

function hasType(body: Body, type: string): boolean {
  return Array.isArray(body['groupTypes']) && body['groupTypes'].includes(type);
}
