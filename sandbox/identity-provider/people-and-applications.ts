import { type DirectoryGet, pagesOfDirectory } from '../../access/directory/read-person.js';
import {
  type Membership,
  personName,
  type Person,
  noTokenReasonOf,
} from '../../access/token-claims.js';

export type { Membership, Person } from '../../access/token-claims.js';

/** The sign-in data of a registered application. */
export interface Application {
  /** The object id. */
  readonly id: string;
  /** The client id. */
  readonly appId: string;
  readonly displayName?: string | null;
  readonly groupMembershipClaims?: string | null;
  readonly identifierUris?: readonly string[] | null;
  readonly passwordCredentials?: readonly { readonly endDateTime?: string | null }[] | null;
  readonly web?: {
    readonly redirectUris?: readonly string[] | null;
    readonly logoutUrl?: string | null;
    readonly implicitGrantSettings?: {
      readonly enableIdTokenIssuance?: boolean | null;
      readonly enableAccessTokenIssuance?: boolean | null;
    } | null;
  } | null;
  readonly spa?: { readonly redirectUris?: readonly string[] | null } | null;
  readonly publicClient?: { readonly redirectUris?: readonly string[] | null } | null;
}

/** Reads the users and applications of the directory for the identity provider, anew each time. */
export interface PeopleAndApplications {
  /** Everyone who can sign in, by name; at most `limit`. */
  people(limit: number): Promise<readonly Person[]>;
  /** The display name of a group. */
  groupName(id: string): Promise<string | undefined>;
  /** A user by object id or user principal name; undefined if disabled or unknown. */
  person(idOrName: string): Promise<Person | undefined>;
  /** The same, also if disabled. */
  personEvenIfDisabled(idOrName: string): Promise<Person | undefined>;
  /** The groups and directory roles of a person, transitively. */
  membershipsOf(personId: string): Promise<readonly Membership[]>;
  /** An application by its client id. */
  application(appId: string): Promise<Application | undefined>;
  /** The application with a redirect URI of this origin, for sign-outs that name no application. */
  applicationAt(origin: string): Promise<Application | undefined>;
  /** Why a person gets no token for an application; undefined if there is one. */
  noTokenReasonOf(person: Person, appId: string): Promise<'disabled' | 'unassigned' | undefined>;
  /** The service principal of an application. */
  servicePrincipal(appId: string): Promise<ServicePrincipal | undefined>;
  /** The values of the app roles of an application that a person has, for the claim `roles`. */
  rolesOf(person: Person, appId: string): Promise<readonly string[]>;
  /** The names of the application permissions granted to a service principal. */
  applicationRoles(servicePrincipalId: string): Promise<readonly string[]>;
}

/** The properties that are read of a service principal. */
export interface ServicePrincipal {
  /** The object id. */
  readonly id: string;
  readonly displayName?: string | null;
  readonly accountEnabled?: boolean | null;
  readonly appRoleAssignmentRequired?: boolean;
  readonly appRoles?: readonly {
    readonly id: string;
    readonly value?: string | null;
    readonly isEnabled?: boolean;
  }[];
}

/** Who has which app role. */
interface RoleAssignment {
  /** Object id of a person, or of a group, whose direct members have the role. */
  readonly principalId: string;
  readonly appRoleId: string;
}

const personFields =
  'id,displayName,userPrincipalName,mail,givenName,surname,jobTitle,department,userType,accountEnabled';

/** Longer than any id or name in a directory, and short enough for an address. */
const maxNameLength = 1024;

/**
 * Whether a directory can have something of this id or name. It is not asked for others: it refuses
 * them, and the path of an empty one would be that of the list.
 */
function canBeName(text: string): boolean {
  return text !== '' && text.length <= maxNameLength && !/[\u0000-\u001f]/.test(text);
}

/** How many entries of each list are read at most. */
const maxEntries = { memberships: 10_000, assignments: 100_000, applications: 1_000 };

/** People and applications of the directory service. */
export function peopleAndApplications(readDirectory: DirectoryGet): PeopleAndApplications {
  const firstPage = async <T>(path: string): Promise<readonly T[]> =>
    (await readDirectory<{ value: T[] }>(path))?.value ?? [];
  /** A string literal of OData, encoded for an address. */
  const odataString = (text: string): string =>
    encodeURIComponent(`'${text.replaceAll("'", "''")}'`);
  const listAll = async <T>(path: string, limit: number): Promise<T[]> => {
    const items: T[] = [];
    for await (const { value } of pagesOfDirectory<T>(readDirectory, path)) {
      items.push(...value);
      if (items.length >= limit) break;
    }
    return items.slice(0, limit);
  };
  const servicePrincipalOf = async (appId: string): Promise<ServicePrincipal | undefined> => {
    if (!canBeName(appId)) return undefined;
    const path = `/servicePrincipals?$filter=appId%20eq%20${odataString(appId)}`;
    return (await firstPage<ServicePrincipal>(path))[0];
  };
  const assignmentsTo = (servicePrincipalId: string): Promise<readonly RoleAssignment[]> =>
    listAll<RoleAssignment>(
      `/servicePrincipals/${servicePrincipalId}/appRoleAssignedTo`,
      maxEntries.assignments,
    );
  const personEvenIfDisabled = async (idOrName: string): Promise<Person | undefined> => {
    if (!canBeName(idOrName)) return undefined;
    return readDirectory<Person>(`/users/${encodeURIComponent(idOrName)}?$select=${personFields}`);
  };
  // an assigned group passes its role to its direct members only, as in the cloud
  const directGroupIds = async (personId: string): Promise<readonly string[]> => {
    const path = `/users/${encodeURIComponent(personId)}/memberOf`;
    return (await listAll<Membership>(path, maxEntries.memberships)).map(({ id }) => id);
  };
  return {
    async people(limit) {
      const users = await listAll<Person>(`/users?$top=100&$select=${personFields}`, limit);
      return users
        .filter((person) => person.accountEnabled !== false)
        .sort((a, b) => personName(a).localeCompare(personName(b)));
    },
    async person(idOrName) {
      const user = await personEvenIfDisabled(idOrName);
      return user?.accountEnabled === false ? undefined : user;
    },
    personEvenIfDisabled,
    async groupName(id) {
      const group = await readDirectory<{ displayName?: string }>(
        `/groups/${encodeURIComponent(id)}?$select=displayName`,
      );
      return group?.displayName;
    },
    membershipsOf: (personId) =>
      listAll<Membership>(
        `/users/${encodeURIComponent(personId)}/transitiveMemberOf`,
        maxEntries.memberships,
      ),
    async application(appId) {
      if (!canBeName(appId)) return undefined;
      const path = `/applications?$filter=appId%20eq%20${odataString(appId)}`;
      return (await firstPage<Application>(path))[0];
    },
    async applicationAt(origin) {
      const applications = await listAll<Application>('/applications', maxEntries.applications);
      return applications.find((application) =>
        redirectUrisOf(application).some((uri) => uri.startsWith(`${origin}/`)),
      );
    },
    async noTokenReasonOf(person, appId) {
      const principal = await servicePrincipalOf(appId);
      if (principal?.appRoleAssignmentRequired !== true)
        return noTokenReasonOf(person, { assignmentRequired: false, assignedIds: new Set() }, []);
      const assignments = await assignmentsTo(principal.id);
      const application = {
        assignmentRequired: true,
        assignedIds: new Set(assignments.map(({ principalId }) => principalId)),
      };
      return noTokenReasonOf(person, application, await directGroupIds(person.id));
    },
    async rolesOf({ id }, appId) {
      const principal = await servicePrincipalOf(appId);
      const roles = (principal?.appRoles ?? []).filter(({ isEnabled }) => isEnabled !== false);
      if (principal === undefined || roles.length === 0) return [];
      const assignments = await assignmentsTo(principal.id);
      const holders = new Set([id, ...(await directGroupIds(id))]);
      const heldRoleIds = new Set(
        assignments.flatMap((each) => (holders.has(each.principalId) ? [each.appRoleId] : [])),
      );
      return roles.flatMap((role) => (heldRoleIds.has(role.id) && role.value ? [role.value] : []));
    },
    servicePrincipal: servicePrincipalOf,
    async applicationRoles(servicePrincipalId) {
      const grantedRoles = await listAll<{ appRoleId: string; resourceId: string }>(
        `/servicePrincipals/${servicePrincipalId}/appRoleAssignments`,
        maxEntries.assignments,
      );
      const names: string[] = [];
      for (const { appRoleId, resourceId } of grantedRoles) {
        const resource = await readDirectory<ServicePrincipal>(`/servicePrincipals/${resourceId}`);
        const name = resource?.appRoles?.find(({ id }) => id === appRoleId)?.value;
        if (typeof name === 'string') names.push(name);
      }
      return names;
    },
  };
}

/** The redirect URIs of an application, of all its platforms. */
export function redirectUrisOf({ web, spa, publicClient }: Application): string[] {
  return [
    ...(web?.redirectUris ?? []),
    ...(spa?.redirectUris ?? []),
    ...(publicClient?.redirectUris ?? []),
  ];
}

/** The message to a person without a role in an application that requires one. */
export function unassignedMessage(person: Person, appId: string): string {
  return `AADSTS50105: The account '${personName(person)}' is not assigned to a role of the application '${appId}', which requires one.`;
}

/**
 * The registered application of an access token's audience: its id, `api://` with its id, or one of
 * its addresses. As in the cloud, its registration, not that of the requesting client, decides
 * which group claims the token contains.
 *
 * @returns undefined for the cloud's own APIs and for unregistered resources
 */
export async function resourceApplication(
  directory: Pick<PeopleAndApplications, 'application' | 'applicationAt'>,
  audience: string,
): Promise<Application | undefined> {
  const id = appIdIn(audience);
  if (id !== undefined) return directory.application(id);
  if (!/^https?:/.test(audience) || !URL.canParse(audience)) return undefined;
  return directory.applicationAt(new URL(audience).origin);
}

/**
 * The claim `roles` of a person's token, if its audience names an application by its id; other
 * audiences have no app roles.
 */
export async function rolesClaim(
  directory: Pick<PeopleAndApplications, 'rolesOf'>,
  person: Person,
  audience: string,
): Promise<{ readonly roles?: readonly string[] }> {
  const appId = appIdIn(audience);
  const roles = appId === undefined ? [] : await directory.rolesOf(person, appId);
  return roles.length === 0 ? {} : { roles };
}

/** The id of an application in an audience: `<id>` or `api://<id>`. */
export function appIdIn(audience: string): string | undefined {
  return /^(?:api:\/\/)?([0-9a-f-]{36})\/?$/i.exec(audience)?.[1];
}
