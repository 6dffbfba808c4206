/** The sign-in data of a user. */
export interface Person {
  readonly id: string;
  readonly displayName?: string | null;
  readonly userPrincipalName?: string | null;
  readonly mail?: string | null;
  readonly givenName?: string | null;
  readonly surname?: string | null;
  readonly jobTitle?: string | null;
  readonly department?: string | null;
  readonly userType?: string | null;
  readonly accountEnabled?: boolean | null;
}

/** What a person belongs to. */
export interface Membership {
  readonly '@odata.type': string;
  readonly id: string;
  readonly securityEnabled?: boolean | null;
  /** Of a directory role: the id that it has in every tenant. Groups have none. */
  readonly roleTemplateId?: string | null;
}

/** How many groups a person is in: of any kind, and security groups. */
export interface GroupCounts {
  readonly all: number;
  readonly security: number;
}

/** The most groups in a token; with more it contains a link instead, as the cloud's tokens do. */
export const maxGroupsInToken = 200;

/**
 * Why the directory issues no token for an application; undefined if it does. Only direct members
 * of groups count.
 */
export function noTokenReasonOf(
  person: Pick<Person, 'id' | 'accountEnabled'>,
  application: { readonly assignmentRequired: boolean; readonly assignedIds: ReadonlySet<string> },
  directGroupIds: readonly string[],
): 'disabled' | 'unassigned' | undefined {
  if (person.accountEnabled === false) return 'disabled';
  if (!application.assignmentRequired) return undefined;
  return [person.id, ...directGroupIds].some((id) => application.assignedIds.has(id))
    ? undefined
    : 'unassigned';
}

/**
 * The claims of a person's tokens, as the cloud's tokens have them.
 *
 * @param tenantId the tenant of the person; undefined where it is not known
 * @param unreadCounts how many groups the person is in besides those in `memberships`
 */
export function personClaims(
  person: Person,
  memberships: readonly Membership[],
  application: { readonly groupMembershipClaims?: string | null } | undefined,
  tenantId: string | undefined,
  unreadCounts?: GroupCounts,
): Record<string, unknown> {
  const isGuest = person.userType === 'Guest';
  const roles = memberships.flatMap(({ roleTemplateId }) =>
    typeof roleTemplateId === 'string' ? [roleTemplateId] : [],
  );
  return {
    oid: person.id,
    tid: tenantId,
    ver: '2.0',
    name: personName(person),
    preferred_username: person.userPrincipalName ?? person.mail ?? person.id,
    ...(typeof person.userPrincipalName === 'string' && { upn: person.userPrincipalName }),
    ...(typeof person.mail === 'string' && { email: person.mail }),
    ...(typeof person.givenName === 'string' && { given_name: person.givenName }),
    ...(typeof person.surname === 'string' && { family_name: person.surname }),
    ...(isGuest && { acct: 1 }),
    ...(roles.length !== 0 && { wids: roles }),
    ...groupsClaim(person, memberships, application?.groupMembershipClaims ?? '', unreadCounts),
  };
}

/**
 * The `groups` claim as the application requests it by `groupMembershipClaims`; absent by default.
 */
function groupsClaim(
  person: Person,
  memberships: readonly Membership[],
  setting: string,
  unreadCounts: GroupCounts = { all: 0, security: 0 },
): Record<string, unknown> {
  const words = setting.split(',').map((word) => word.trim().toLowerCase());
  const includesAllGroups = words.includes('all') || words.includes('applicationgroup');
  if (!includesAllGroups && !words.includes('securitygroup')) return {};
  const groups = memberships
    .filter(
      (membership) =>
        membership['@odata.type'].endsWith('.group') &&
        (includesAllGroups || membership.securityEnabled === true),
    )
    .map(({ id }) => id);
  const count = groups.length + (includesAllGroups ? unreadCounts.all : unreadCounts.security);
  if (count <= maxGroupsInToken) return { groups };
  return {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: `/v1.0/users/${person.id}/getMemberObjects` } },
  };
}

/** The display name of a person. */
export function personName(person: Person): string {
  return person.displayName ?? person.userPrincipalName ?? person.id;
}
