/**
 * The kinds of references between objects, with their stored number. `source` is the object with
 * the navigation property: the group of `members` and `owners`, the user of `manager`.
 */
export const relations = {
  members: 1,
  owners: 2,
  acceptedSenders: 3,
  rejectedSenders: 4,
  createdOnBehalfOf: 5,
  /** Members of an administrative unit. */
  unitMembers: 6,
  /** Members of a directory role. */
  roleMembers: 7,
  manager: 8,
  registeredOwners: 9,
  registeredUsers: 10,
  /** Owners of applications and service principals. */
  applicationOwners: 11,
  claimsMappingPolicies: 12,
} as const;

/** A relation by name. */
export type Relation = keyof typeof relations;

/** The navigation property of a relation. */
export function navigationName(relation: Relation): string {
  const differentNames: Partial<Record<Relation, string>> = {
    unitMembers: 'members',
    roleMembers: 'members',
    applicationOwners: 'owners',
  };
  return differentNames[relation] ?? relation;
}

/**
 * Relations that make an object a member of another: returned by memberOf and followed
 * transitively.
 */
export const membershipRelations: readonly Relation[] = ['members', 'unitMembers', 'roleMembers'];
