import type {
  ApplicationRecord,
  DirectorySnapshot,
  GroupRecord,
  ServicePrincipalRecord,
} from '../directory/records.js';
import type { AppliedResource } from './applied-apps.js';

type Values = AppliedResource['values'];

/**
 * The directory with the applied groups and registrations of a plan, as they are before its
 * changes: a seed file may list only people. Stacks declare neither who has a role of an
 * application nor which applications may look up the groups of people, nor members one by one
 * (`azuread_group_member`), so these are not read.
 */
export function withAppliedObjects(
  directory: DirectorySnapshot,
  resources: readonly AppliedResource[],
): DirectorySnapshot {
  const ofType = (type: RegExp): Values[] =>
    resources.flatMap((each) => (type.test(each.type) ? [each.values] : []));
  return {
    ...directory,
    groups: withMissing(
      directory.groups,
      ofType(/^azuread_group(_without_members)?$/).map(groupOf),
      'id',
    ),
    applications: withMissing(
      directory.applications,
      ofType(/^azuread_application(_registration)?$/).map(applicationOf),
      'appId',
    ),
    servicePrincipals: withMissing(
      directory.servicePrincipals,
      ofType(/^azuread_service_principal$/).map(servicePrincipalOf),
      'appId',
    ),
  };
}

/** The present objects, and those of `objects` that are not among them. */
function withMissing<K extends string, T extends Readonly<Record<K, string>>>(
  present: readonly T[],
  objects: readonly T[],
  key: K,
): readonly T[] {
  const ids = new Set(present.map((each) => each[key].toLowerCase()));
  const missing = objects.filter((each) => !ids.has(each[key]));
  return missing.length === 0 ? present : [...present, ...missing];
}

function groupOf(values: Values): GroupRecord {
  const [dynamic] = (values['dynamic_membership'] ?? []) as readonly {
    readonly enabled: boolean;
    readonly rule: string;
  }[];
  return {
    id: idOf(values['object_id']),
    displayName: textOrEmpty(values['display_name']),
    mailNickname: textOrEmpty(values['mail_nickname']),
    securityEnabled: values['security_enabled'] === true,
    isUnified: textsOf(values['types']).includes('Unified'),
    ...(dynamic?.enabled === true && { rule: dynamic.rule }),
    isPublic: values['visibility'] === 'Public',
    members: idsOf(values['members']),
    owners: idsOf(values['owners']),
    isAssignableToRole: values['assignable_to_role'] === true,
  };
}

function applicationOf(values: Values): ApplicationRecord {
  const claims = textsOf(values['group_membership_claims']);
  return {
    appId: idOf(values['client_id']),
    displayName: textOrEmpty(values['display_name']),
    groupMembershipClaims: claims.length === 0 ? undefined : claims.join(','),
    owners: idsOf(values['owners']),
  };
}

function servicePrincipalOf(values: Values): ServicePrincipalRecord {
  return {
    id: idOf(values['object_id']),
    appId: idOf(values['client_id']),
    displayName: textOrEmpty(values['display_name']),
    isEnabled: values['account_enabled'] !== false,
    assignmentRequired: values['app_role_assignment_required'] === true,
    assignedIds: [],
    groupReaders: [],
    owners: idsOf(values['owners']),
  };
}

function idOf(value: unknown): string {
  return textOrEmpty(value).toLowerCase();
}

function idsOf(value: unknown): readonly string[] {
  return textsOf(value).map(idOf);
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOrEmpty) : [];
}
