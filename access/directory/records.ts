import type { Person } from '../token-claims.js';

/** A person of the directory: what signing in and membership rules look at. */
export interface PersonRecord {
  readonly id: string;
  /** Properties as the directory names them. */
  readonly body: Readonly<Record<string, unknown>> & Omit<Person, 'id'>;
  readonly managerId?: string;
}

/** A group of the directory. */
export interface GroupRecord {
  readonly id: string;
  readonly displayName: string;
  readonly mailNickname?: string;
  readonly uniqueName?: string;
  readonly securityEnabled: boolean;
  readonly unified: boolean;
  /** The rule that decides who belongs, where one is being processed; else `members` say so. */
  readonly rule?: string;
  /** Whether anyone may join. */
  readonly public: boolean;
  /** Ids, or user principal names, of people, groups and applications. */
  readonly members: readonly string[];
  readonly owners: readonly string[];
  readonly isAssignableToRole: boolean;
  /** The stack's name of the group, where it declares it. */
  readonly declared?: string;
}

/** An application and its identity in the tenant, as far as signing in needs them. */
export interface ApplicationRecord {
  readonly appId: string;
  readonly displayName: string;
  readonly groupMembershipClaims: string | undefined;
  readonly owners: readonly string[];
}

/** An application's identity in the tenant. */
export interface ServicePrincipalRecord {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly assignmentRequired: boolean;
  /** Ids of the people, groups and applications that have a role of it. */
  readonly assigned: readonly string[];
  readonly owners: readonly string[];
}

/** A directory role and who holds it. */
export interface RoleRecord {
  readonly templateId: string;
  readonly displayName: string;
  readonly members: readonly string[];
}

/** How much of a directory was read, where that isn't everything. */
export interface ReadPart {
  /** Everyone, or those whom the stacks name. */
  readonly people: 'all' | 'named';
  /** The properties of people that were read, and not replaced by pseudonyms. */
  readonly properties: readonly string[];
  /** Managers whose direct reports are known. */
  readonly directReportsOf: readonly string[];
  /** Where names are pseudonyms, ids by the hashes of the names that configurations use. */
  readonly named: ReadonlyMap<string, string>;
  readonly tenantId?: string;
}

/** The part of a directory that was read. */
export interface DirectorySnapshot {
  /** Where it was read: `seed.yaml`, `the sandbox`. */
  readonly source: string;
  readonly tenantId?: string;
  /** Undefined where everything is known. */
  readonly part?: ReadPart;
  readonly people: readonly PersonRecord[];
  /** Where among the people someone is: by id, and by user principal name, both in lower case. */
  readonly places: ReadonlyMap<string, number>;
  readonly groups: readonly GroupRecord[];
  readonly applications: readonly ApplicationRecord[];
  readonly servicePrincipals: readonly ServicePrincipalRecord[];
  readonly roles: readonly RoleRecord[];
}
