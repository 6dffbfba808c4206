import { maxGroupsInToken } from '../token-claims.js';
import { checkClaims } from './claims.js';
import type { Group } from '../directory/group.js';
import { PeopleSet } from '../directory/people-set.js';
import type { PersonRecord } from '../directory/records.js';
import type { Memberships } from '../directory/memberships.js';
import type { AppAccess, DirectorySignIn } from '../stack/apps.js';
import {
  groupsOfPerson,
  groupsWithUnknownMembers,
  type PersonGroups,
  simulateSignIn,
  type SignInResult,
  tokenClaimsOf,
} from './sign-in.js';

/** Who gets into an app by the directory. */
export interface AdmittedPeople {
  /** The people who certainly get in. */
  readonly admitted: PeopleSet;
  /** The people whose access is unknown. */
  readonly unknown: PeopleSet;
}

/**
 * Decides for every person and app. People whom no app distinguishes form a class, and
 * {@link simulateSignIn} decides once per class, for one of its people, so that a directory of a
 * million takes little longer than one of a thousand.
 */
export function admittedPeople(
  apps: readonly AppAccess[],
  memberships: Memberships,
): ReadonlyMap<AppAccess, AdmittedPeople> {
  const directorySignIns = apps.flatMap(({ directorySignIn }) => directorySignIn ?? []);
  const classes = classesOf(
    distinguishingSets(directorySignIns, memberships),
    memberships.snapshot.people.length,
  );
  const groups = new Map<number, PersonGroups>();
  const groupsIn = (personIndex: number): PersonGroups => {
    const personGroups = groups.get(personIndex) ?? groupsOfPerson(personIndex, memberships);
    groups.set(personIndex, personGroups);
    return personGroups;
  };
  return new Map(
    apps.map((app) => {
      const people = {
        admitted: new PeopleSet(classes.classOfPerson.length),
        unknown: new PeopleSet(classes.classOfPerson.length),
      };
      const { directorySignIn } = app;
      if (directorySignIn === undefined) return [app, people];
      const uncertainGroups = groupsWithUnknownMembers(directorySignIn, memberships);
      const outcomes = classes.representatives.map((personIndex): SignInResult['outcome'] => {
        return simulateSignIn(
          directorySignIn,
          memberships.person(personIndex),
          groupsIn(personIndex),
          uncertainGroups,
        ).outcome;
      });
      classes.classOfPerson.forEach((classIndex, personIndex) => {
        const outcome = outcomes[classIndex];
        if (outcome === 'in') people.admitted.add(personIndex);
        else if (outcome === 'unknown') people.unknown.add(personIndex);
      });
      return [app, people];
    }),
  );
}

/** The sets of people that a decision can depend on. */
function distinguishingSets(
  directorySignIns: readonly DirectorySignIn[],
  memberships: Memberships,
): PeopleSet[] {
  const { people } = memberships.snapshot;
  const sets = new Map<string, PeopleSet>();
  const disabledPeople = new PeopleSet(people.length);
  people.forEach(({ body }, personIndex) => {
    if (body.accountEnabled === false) disabledPeople.add(personIndex);
  });
  const peopleWithIds = (ids: Iterable<string>): PeopleSet => {
    const set = new PeopleSet(people.length);
    for (const id of ids) {
      const personIndex = memberships.personIndexOf(id.toLowerCase());
      if (personIndex !== undefined) set.add(personIndex);
    }
    return set;
  };
  for (const directorySignIn of directorySignIns) {
    const { settings, application } = directorySignIn;
    const { groups, claimGroups, identities } = settings.policy;
    for (const id of [...groups, ...claimGroups]) {
      const group = memberships.group(id);
      if (group !== undefined) sets.set(`in ${id}`, memberships.allMembers(group));
    }
    for (const id of identities) sets.set(`is ${id}`, peopleWithIds([id]));
    for (const [name, set] of setsByClaim(directorySignIn, people)) sets.set(name, set);
    if (!application.assignmentRequired) continue;
    const assignedPeople = peopleWithIds(application.assignedIds);
    for (const id of application.assignedIds) {
      const group = memberships.group(id);
      if (group !== undefined) assignedPeople.addAll(memberships.directMembers(group));
    }
    sets.set(`assigned to ${application.clientId}`, assignedPeople);
  }
  return [disabledPeople, ...sets.values(), ...peopleWithGroupOverage(memberships)];
}

/** For each required claim, people whose token has one of its values, and whose token lacks it. */
function setsByClaim(
  directorySignIn: DirectorySignIn,
  people: readonly PersonRecord[],
): [string, PeopleSet][] {
  const { claims: requiredClaims } = directorySignIn.settings.rules;
  const rules = JSON.stringify(requiredClaims);
  const sets = Object.keys(requiredClaims).map(
    () => [new PeopleSet(people.length), new PeopleSet(people.length)] as const,
  );
  if (sets.length > 0)
    people.forEach((person, personIndex) => {
      checkClaims(requiredClaims, tokenClaimsOf(person, [], directorySignIn)).forEach(
        ({ allowed }, index) => {
          if (allowed === true) sets[index]?.[0].add(personIndex);
          else if (allowed === 'unknown') sets[index]?.[1].add(personIndex);
        },
      );
    });
  return sets.flatMap(([having, lacking], index) => [
    [`has ${String(index)} of ${rules}`, having],
    [`lacks ${String(index)} of ${rules}`, lacking],
  ]);
}

/**
 * People whose tokens list no groups because there are too many: security groups, and groups of any
 * kind.
 */
function peopleWithGroupOverage(memberships: Memberships): PeopleSet[] {
  const { people } = memberships.snapshot;
  if (!memberships.canBeInMoreGroupsThan(maxGroupsInToken)) return [];
  const containingCounts = memberships.groups.map((group) =>
    memberships.countContainingGroups([group], maxGroupsInToken),
  );
  const maxContaining = containingCounts.reduce((greatest, each) => Math.max(greatest, each), 0);
  const [overSecurityLimit, overLimit] = [
    new PeopleSet(people.length),
    new PeopleSet(people.length),
  ];
  for (let personIndex = 0; personIndex < people.length; personIndex++) {
    const { unreadGroups: unread = { all: 0, security: 0 } } = memberships.person(personIndex);
    const limit = maxGroupsInToken - unread.all;
    if (memberships.maxDirectGroups(personIndex) * maxContaining <= limit) continue;
    const directGroups = memberships.directGroups(personIndex);
    if (directGroups.reduce((sum, { index }) => sum + (containingCounts[index] ?? 0), 0) <= limit)
      continue;
    if (memberships.countContainingGroups(directGroups, limit) > limit) overLimit.add(personIndex);
    const securityLimit = maxGroupsInToken - unread.security;
    const isSecurity = ({ record }: Group): boolean => record.securityEnabled;
    if (memberships.countContainingGroups(directGroups, securityLimit, isSecurity) > securityLimit)
      overSecurityLimit.add(personIndex);
  }
  return [overSecurityLimit, overLimit];
}

interface Classes {
  /** Each person's class. */
  readonly classOfPerson: Int32Array;
  /** One person of each class. */
  readonly representatives: readonly number[];
}

/** Divides people into classes by the sets that they are in. */
function classesOf(sets: readonly PeopleSet[], count: number): Classes {
  const classOfPerson = new Int32Array(count);
  let total = count === 0 ? 0 : 1;
  for (const set of sets) {
    const newClasses = new Int32Array(total * 2).fill(-1);
    total = 0;
    for (let personIndex = 0; personIndex < count; personIndex++) {
      const key = (classOfPerson[personIndex] ?? 0) * 2 + (set.has(personIndex) ? 1 : 0);
      let newClass = newClasses[key] ?? -1;
      if (newClass === -1) newClasses[key] = newClass = total++;
      classOfPerson[personIndex] = newClass;
    }
  }
  const representatives: number[] = [];
  for (let personIndex = count - 1; personIndex >= 0; personIndex--)
    representatives[classOfPerson[personIndex] ?? 0] = personIndex;
  return { classOfPerson, representatives };
}
