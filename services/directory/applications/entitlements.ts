import { badRequest } from '../http/errors.js';
import { isObject } from '../../../core/values/is-object.js';
import { isGuid } from '../../../core/values/guid.js';

type Entitlement = Readonly<Record<string, unknown>>;

const compared = {
  appRoles: ['allowedMemberTypes', 'description', 'displayName', 'value'],
  oauth2PermissionScopes: [
    'adminConsentDescription',
    'adminConsentDisplayName',
    'type',
    'userConsentDescription',
    'userConsentDisplayName',
    'value',
  ],
} as const;

/** Roles or scopes. */
export type EntitlementList = keyof typeof compared;

/**
 * The app roles or permission scopes that an application is to have, each with id and `isEnabled`.
 *
 * @param before the present list: an enabled entry can't be removed or changed before it is disabled.
 * @throws DirectoryError 400.
 */
export function readEntitlements(list: EntitlementList, value: unknown, before: unknown): readonly Entitlement[] {
  const given = entries(value);
  const next = given.map((entry) => complete(list, entry));
  const ids = next.map((entry) => String(entry['id']).toLowerCase());
  const values = next.map((entry) => String(entry['value'] ?? '').toLowerCase()).filter((text) => text !== '');
  if (new Set(ids).size < ids.length || new Set(values).size < values.length)
    throw badRequest(`Request contains a property with duplicate values: '${list}'.`, list);
  for (const old of entries(before))
    if (old['isEnabled'] === true) checkUnchanged(list, old, next[ids.indexOf(String(old['id']).toLowerCase())]);
  return next;
}

function complete(list: EntitlementList, entry: Entitlement): Entitlement {
  if (!isGuid(entry['id'])) throw badRequest(`Invalid value specified for property 'id' of '${list}': a GUID is expected.`, list);
  const isEnabled = typeof entry['isEnabled'] === 'boolean' ? entry['isEnabled'] : true;
  if (list === 'oauth2PermissionScopes') return { ...blank(list), ...entry, type: entry['type'] ?? 'User', isEnabled };
  if (!Array.isArray(entry['allowedMemberTypes']))
    throw badRequest("A value is required for property 'allowedMemberTypes' of 'appRoles': User, Application or both.", list);
  return { ...blank(list), ...entry, isEnabled, origin: 'Application' };
}

function checkUnchanged(list: EntitlementList, old: Entitlement, next: Entitlement | undefined): void {
  const same = next && compared[list].every((name) => normal(old[name]) === normal(next[name]));
  if (!same)
    throw badRequest(
      'Permission (scope or role) cannot be deleted or updated unless disabled first.',
      list,
      'CannotDeleteOrUpdateEnabledEntitlement',
    );
}

function blank(list: EntitlementList): Entitlement {
  return Object.fromEntries(compared[list].map((name) => [name, null]));
}

/** Empty text and null are the same; lists are compared without regard to order. */
function normal(value: unknown): string {
  return Array.isArray(value) ? [...value].map(String).sort().join(' ') : String(value ?? '');
}

function entries(value: unknown): readonly Entitlement[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
