import type { GroupCounts, Person } from '../token-claims.js';

/** A person of the directory: the data for sign-in and membership rules. */
export interface PersonRecord {
  readonly id: string;
  /** Properties as the directory names them. */
  readonly body: Readonly<Record<string, unknown>> & Omit<Person, 'id'>;
  /** The id or user principal name of the manager; undefined where none is known. */
  readonly managerId?: string;
  /** How many groups that were not read the person is in, directly or by nesting. */
  readonly unreadGroups?: GroupCounts;
}

/** A group of the directory. */
export interface GroupRecord {
  readonly id: string;
  readonly displayName: string;
  readonly mailNickname?: string;
  /** The alternate key, by which the directory's API finds the group. */
  readonly uniqueName?: string;
  readonly securityEnabled: boolean;
  /** Whether its `groupTypes` have `Unified`: a group with a mailbox. */
  readonly isUnified: boolean;
  /** The rule, if it is being processed; otherwise `members` has the members. */
  readonly rule?: string;
  /** Whether anyone may join. */
  readonly isPublic: boolean;
  /** Ids, or user principal names, of people, groups and applications. */
  readonly members: readonly string[];
  /** Whether a stack declares the group and leaves its members to others, or pauses its rule. */
  readonly areMembersManagedElsewhere?: true;
  /** Ids, or user principal names, of people and applications. */
  readonly owners: readonly string[];
  readonly isAssignableToRole: boolean;
  /** The stack's name of the group, where it declares it. */
  readonly declaredName?: string;
  /** The stack that declares the group. */
  readonly stack?: string;
}

/** An application, as far as sign-in needs it. */
export interface ApplicationRecord {
  readonly appId: string;
  readonly displayName: string;
  /** Which groups tokens name, such as `SecurityGroup`; undefined: none. */
  readonly groupMembershipClaims: string | undefined;
  /** Ids, or user principal names, of people and applications. */
  readonly owners: readonly string[];
}

/** An application's service principal: its identity in the tenant. */
export interface ServicePrincipalRecord {
  /** The object id; `appId` is the client id. */
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  /** Whether it gets tokens, and people get tokens for it. */
  readonly isEnabled: boolean;
  /** Whether only people who have a role of it get a token. */
  readonly assignmentRequired: boolean;
  /** Ids of the people, groups and applications that have a role. */
  readonly assignedIds: readonly string[];
  /** Of the directory's own API: ids of the applications that may look up groups of people. */
  readonly groupReaders: readonly string[];
  /** Ids, or user principal names, of people and applications. */
  readonly owners: readonly string[];
}

/** A directory role and its members. */
export interface RoleRecord {
  /** The id that the role has in every tenant. */
  readonly templateId: string;
  readonly displayName: string;
  /** Ids, or user principal names, of people, groups and applications. */
  readonly members: readonly string[];
}

/** How much of a directory was read. */
export interface DirectoryCoverage {
  /** Everyone, or those whom the stacks name. */
  readonly people: 'all' | 'named';
  /** The properties of people that were read, and not replaced by pseudonyms. */
  readonly properties: readonly string[];
  /** Managers whose direct reports are known. */
  readonly directReportsOf: readonly string[];
  /** Where names are pseudonyms, ids by the hashes of the names that configurations use. */
  readonly idsByNameHash: ReadonlyMap<string, string>;
  /** Whether the permissions of applications were read. */
  readonly permissions: boolean;
  /** How many groups that were not read people are in, by their ids. */
  readonly unreadGroups: ReadonlyMap<string, GroupCounts>;
  /** The directory's tenant. @default not known */
  readonly tenantId?: string;
}

/** The part of a directory that was read. */
export interface DirectorySnapshot {
  /** The source: `seed.yaml`, `the sandbox`. */
  readonly source: string;
  /** The directory's tenant. @default not known */
  readonly tenantId?: string;
  /** Undefined if everything is known. */
  readonly coverage?: DirectoryCoverage;
  readonly people: readonly PersonRecord[];
  /** The index of each person: by id, and by user principal name, both in lower case. */
  readonly personIndexes: ReadonlyMap<string, number>;
  readonly groups: readonly GroupRecord[];
  /** Registrations; those of other tenants have only a service principal here. */
  readonly applications: readonly ApplicationRecord[];
  readonly servicePrincipals: readonly ServicePrincipalRecord[];
  /** Directory roles, not the roles of applications. */
  readonly roles: readonly RoleRecord[];
}
