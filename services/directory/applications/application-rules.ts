import { applicationMembers } from '../../../kinds/application/application.js';
import { hasWildcardHost } from '../../../kinds/registration/registration-uris.js';
import {
  registration,
  requiredPermissionsSchema,
} from '../../../kinds/registration/registration.js';
import { mistakeInBody } from '../../../kinds/schema/request-body.js';
import { canonicalValue, mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { badRequest } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import { mergeProperties } from '../kernel/body-properties.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Body } from '../store/objects.js';
import { checkIdentifierUris, mergedApplicationProperties } from './application-type.js';
import { isGuid } from '../../../core/values/guid.js';

const { properties } = registration;

/**
 * Applies values to an application: merges complex properties by member, replaces optional claims
 * as a whole, and checks the rules.
 *
 * @throws DirectoryError 400.
 */
export async function applyValuesToApplication(
  directory: Directory,
  id: string,
  current: Body,
  input: Body,
): Promise<Body> {
  const values = directory.dialect === 'azure' ? withCanonicalValues(input) : input;
  if (values['displayName'] === '')
    throw badRequest(
      "A value is required for property 'displayName' of resource 'application'.",
      'displayName',
    );
  const mistake =
    mistakeInBody(properties, values, { anyCase: directory.dialect === 'azure' }) ??
    mistakeInBody(applicationMembers, values);
  if (mistake) {
    const propertyPath = mistake.path.replaceAll('.', '/');
    throw badRequest(
      `Invalid value specified for property '${propertyPath}': ${mistake.message}.`,
      propertyPath.split('/')[0],
    );
  }
  checkRequiredPermissions(values['requiredResourceAccess']);
  const next = mergeProperties(current, withoutNullObjects(values), mergedApplicationProperties);
  if (values['identifierUris'] !== undefined)
    await checkIdentifierUris(directory, next['identifierUris'], id);
  if (values['appRoles'] !== undefined)
    next['appRoles'] = completeEntitlements('appRoles', values['appRoles'], current['appRoles']);
  next['api'] = withCompletedScopes(current['api'], next['api'], values['api']);
  if (isObject(values['optionalClaims']))
    next['optionalClaims'] = parseOptionalClaims(values['optionalClaims']);
  for (const platform of ['web', 'spa', 'publicClient'])
    if (values[platform] !== undefined || next['signInAudience'] !== current['signInAudience'])
      checkRedirectUris(platform, next[platform], next['signInAudience']);
  return next;
}

/** Values in the letter case of the description: the azure dialect accepts any case. */
function withCanonicalValues(values: Body): Body {
  const { signInAudience, appRoles, groupMembershipClaims } = properties;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (name === 'signInAudience') return [name, canonicalValue(signInAudience, value)];
      if (name === 'appRoles') return [name, canonicalValue(appRoles, value)];
      if (name !== 'groupMembershipClaims' || typeof value !== 'string') return [name, value];
      const { items } = groupMembershipClaims;
      return [name, value.replace(/[^,\s]+/g, (word) => String(canonicalValue(items, word)))];
    }),
  );
}

/** Checks the ids and types of required roles and scopes, which the API lists together. */
function checkRequiredPermissions(values: unknown): void {
  const { items } = requiredPermissionsSchema().properties.roles;
  const resources = (Array.isArray(values) ? values : []).flatMap((each: unknown) =>
    isObject(each) ? each['resourceAccess'] : [],
  );
  for (const each of resources.filter(isObject)) {
    const mistake = mistakeIn(items, each['id']);
    if (mistake !== undefined)
      throw badRequest(
        `Invalid value specified for property 'requiredResourceAccess/resourceAccess/id': ${mistake.message}.`,
        'requiredResourceAccess',
      );
    if (!/^(role|scope)$/i.test(String(each['type'])))
      throw badRequest(
        "Invalid value specified for property 'requiredResourceAccess/resourceAccess/type': Role or Scope is expected.",
        'requiredResourceAccess',
      );
  }
}

/**
 * Values without complex properties that are null: clients expect an object, so they stay
 * unchanged.
 */
function withoutNullObjects(values: Body): Body {
  const members = Object.entries(values).filter(
    ([name, value]) => value !== null || !mergedApplicationProperties.includes(name),
  );
  return Object.fromEntries(members);
}

function withCompletedScopes(before: unknown, next: unknown, values: unknown): unknown {
  if (!isObject(values) || !isObject(next) || values['oauth2PermissionScopes'] === undefined)
    return next;
  const current = isObject(before) ? before['oauth2PermissionScopes'] : undefined;
  return {
    ...next,
    oauth2PermissionScopes: completeEntitlements(
      'oauth2PermissionScopes',
      values['oauth2PermissionScopes'],
      current,
    ),
  };
}

/** `{}` and three empty lists clear the optional claims. */
function parseOptionalClaims(value: Record<string, unknown>): unknown {
  const lists = ['accessToken', 'idToken', 'saml2Token'] as const;
  if (lists.every((name) => !Array.isArray(value[name]) || (value[name] as unknown[]).length === 0))
    return null;
  return Object.fromEntries(lists.map((name) => [name, value[name] ?? []]));
}

function checkRedirectUris(platform: string, value: unknown, audience: unknown): void {
  const uris =
    isObject(value) && Array.isArray(value['redirectUris'])
      ? (value['redirectUris'] as unknown[])
      : [];
  const { redirectUris } = properties;
  const isPublic = platform === 'publicClient';
  const mistakeMessage = isPublic
    ? publicClientMistake(uris)
    : (mistakeIn(redirectUris, uris)?.message ?? wildcardMistake(uris as string[], audience));
  if (mistakeMessage !== undefined)
    throw badRequest(
      `Invalid value specified for property '${platform}/redirectUris': ${mistakeMessage}.`,
      platform,
    );
}

/** Public clients may use custom URI schemes. */
function publicClientMistake(uris: readonly unknown[]): string | undefined {
  const { maxItems, items } = properties.redirectUris;
  if (uris.length > maxItems)
    return `it has ${uris.length} entries, at most ${maxItems} are allowed`;
  const invalid = uris.find(
    (uri) =>
      typeof uri !== 'string' ||
      uri.length > items.maxLength ||
      !/^[a-z][a-z0-9+.-]*:\S+$/i.test(uri),
  );
  return invalid === undefined ? undefined : `"${String(invalid).slice(0, 60)}" is not a URI`;
}

function wildcardMistake(uris: readonly string[], audience: unknown): string | undefined {
  const isOfOneTenant = audience === properties.signInAudience.default;
  const wrong = uris.find((uri) => uri.includes('*') && !(isOfOneTenant && hasWildcardHost(uri)));
  return wrong === undefined
    ? undefined
    : `"${wrong.slice(0, 60)}" has a wildcard; only a host may have one, of an application for one tenant`;
}

type Entitlement = Readonly<Record<string, unknown>>;

/** The properties of an enabled entitlement that cannot be changed. */
const fixedWhileEnabled = {
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

/** App roles or permission scopes. */
type EntitlementList = keyof typeof fixedWhileEnabled;

/**
 * The new app roles or permission scopes, each with an id and `isEnabled`.
 *
 * @param before the current list: an enabled entry must be disabled before it is changed or
 *   removed.
 * @throws DirectoryError 400.
 */
function completeEntitlements(
  list: EntitlementList,
  value: unknown,
  before: unknown,
): readonly Entitlement[] {
  const input = entitlementsIn(value);
  const next = input.map((entry) => completeEntitlement(list, entry));
  const ids = next.map((entry) => String(entry['id']).toLowerCase());
  const values = next
    .map((entry) => String(entry['value'] ?? '').toLowerCase())
    .filter((text) => text !== '');
  if (new Set(ids).size < ids.length || new Set(values).size < values.length)
    throw badRequest(`Request contains a property with duplicate values: '${list}'.`, list);
  for (const old of entitlementsIn(before))
    if (old['isEnabled'] === true)
      checkUnchanged(list, old, next[ids.indexOf(String(old['id']).toLowerCase())]);
  return next;
}

function completeEntitlement(list: EntitlementList, entry: Entitlement): Entitlement {
  if (!isGuid(entry['id']))
    throw badRequest(
      `Invalid value specified for property 'id' of '${list}': a GUID is expected.`,
      list,
    );
  const isEnabled = typeof entry['isEnabled'] === 'boolean' ? entry['isEnabled'] : true;
  if (list === 'oauth2PermissionScopes')
    return { ...emptyEntitlement(list), ...entry, type: entry['type'] ?? 'User', isEnabled };
  if (!Array.isArray(entry['allowedMemberTypes']))
    throw badRequest(
      "A value is required for property 'allowedMemberTypes' of 'appRoles': User, Application or both.",
      list,
    );
  return { ...emptyEntitlement(list), ...entry, isEnabled, origin: 'Application' };
}

function checkUnchanged(
  list: EntitlementList,
  old: Entitlement,
  next: Entitlement | undefined,
): void {
  const isUnchanged =
    next &&
    fixedWhileEnabled[list].every(
      (name) => normalizeForComparison(old[name]) === normalizeForComparison(next[name]),
    );
  if (!isUnchanged)
    throw badRequest(
      'Permission (scope or role) cannot be deleted or updated unless disabled first.',
      list,
      'CannotDeleteOrUpdateEnabledEntitlement',
    );
}

function emptyEntitlement(list: EntitlementList): Entitlement {
  return Object.fromEntries(fixedWhileEnabled[list].map((name) => [name, null]));
}

/** Empty text equals null; lists are compared without order. */
function normalizeForComparison(value: unknown): string {
  return Array.isArray(value) ? [...value].map(String).sort().join(' ') : String(value ?? '');
}

function entitlementsIn(value: unknown): readonly Entitlement[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
