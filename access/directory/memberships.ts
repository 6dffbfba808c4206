import type { RuleContext, CompiledRule } from '../../services/directory/membership-rule/index.js';
import { PeopleSet } from './people-set.js';
import type { DirectorySnapshot, GroupRecord, PersonRecord } from './records.js';
import { type Group, resolveGroup } from './group.js';
import { hashOfName } from './pseudonyms.js';

/** Determines the members of groups: listed, by rule and by nesting. */
export class Memberships {
  readonly groups: readonly Group[];
  readonly #personIndexes: ReadonlyMap<string, number>;
  readonly #groupIndexes = new Map<string, number>();
  readonly #directMembers: (PeopleSet | undefined)[] = [];
  readonly #allMembers = new Map<number, PeopleSet>();
  /** For each group, the indexes of the groups that list it as a member. */
  readonly #containingGroupIndexes: number[][];
  readonly #dynamicGroups: readonly Group[];
  /**
   * The groups that list each person: `groups` has their indexes, person after person, and `starts`
   * where those of each person begin.
   */
  #listedGroups: { readonly starts: Int32Array; readonly groups: Int32Array } | undefined;

  /**
   * @param now milliseconds since 1970, for rules that compare with the time.
   * @param reuse memberships of the same people: their sets are reused where `isUnchanged` says
   *   that a group's members cannot differ.
   */
  constructor(
    readonly snapshot: DirectorySnapshot,
    private readonly now: number,
    private readonly reuse?: {
      readonly from: Memberships;
      readonly isUnchanged: (group: Group) => boolean;
    },
  ) {
    const { personIndexes, groups, servicePrincipals } = snapshot;
    this.#personIndexes = personIndexes;
    groups.forEach(({ id }, index) => this.#groupIndexes.set(id, index));
    const principals = {
      people: this.#personIndexes,
      groups: this.#groupIndexes,
      applications: new Map(servicePrincipals.map((each) => [each.id, each])),
    };
    this.#containingGroupIndexes = groups.map(() => []);
    this.groups = groups.map(
      (record, index) =>
        this.#sameGroup(record, index) ??
        resolveGroup(record, index, principals, snapshot.coverage),
    );
    for (const { index, groups: nested } of this.groups)
      for (const each of nested) this.#containingGroupIndexes[each]?.push(index);
    this.#dynamicGroups = this.groups.filter(({ rule }) => rule !== undefined);
  }

  /** A group by its id, in any letter case. */
  group(id: string): Group | undefined {
    const index = this.#groupIndexes.get(id.toLowerCase());
    return index === undefined ? undefined : this.groups[index];
  }

  /** A person's index, by id or user principal name in lower case. */
  personIndexOf(idOrName: string): number | undefined {
    const { coverage } = this.snapshot;
    return (
      this.#personIndexes.get(idOrName) ??
      (coverage === undefined
        ? undefined
        : this.#personIndexes.get(coverage.idsByNameHash.get(hashOfName(idOrName)) ?? ''))
    );
  }

  /** @throws RangeError for an index that no person has. */
  person(personIndex: number): PersonRecord {
    const record = this.snapshot.people[personIndex];
    if (record === undefined)
      throw new RangeError(`there is no person with the index ${String(personIndex)}`);
    return record;
  }

  /** The people in a group, listed or by its own rule. */
  directMembers(group: Group): PeopleSet {
    const cached = this.#directMembers[group.index];
    if (cached !== undefined) return cached;
    const reusable = this.#reusableGroup(group);
    const set =
      reusable === undefined
        ? this.#computeMembers(group)
        : reusable.from.directMembers(reusable.group);
    this.#directMembers[group.index] = set;
    return set;
  }

  /** Everyone in a group, including nested groups. */
  allMembers(group: Group): PeopleSet {
    const cached = this.#allMembers.get(group.index);
    if (cached !== undefined) return cached;
    const reusable = this.#reusableGroup(group);
    if (reusable !== undefined) return reusable.from.allMembers(reusable.group);
    const nestedGroups = this.groupAndNested(group);
    let set = this.directMembers(group);
    if (nestedGroups.length > 1) {
      set = new PeopleSet(this.snapshot.people.length);
      for (const each of nestedGroups)
        if (each.rule === undefined) for (const personIndex of each.people) set.add(personIndex);
        else set.addAll(this.directMembers(each));
    }
    this.#allMembers.set(group.index, set);
    return set;
  }

  /** A group and the groups in it, transitively. */
  groupAndNested(group: Group): Group[] {
    const visited = new Set([group.index]);
    for (const index of visited)
      for (const nestedIndex of this.groups[index]?.groups ?? []) visited.add(nestedIndex);
    return [...visited].flatMap((index) => this.groups[index] ?? []);
  }

  /** Whether members of a group, including nested ones, are unknown. */
  hasUnknownMembers(group: Group): boolean {
    return this.groupAndNested(group).some(
      ({ unresolvedMembers, rule }) =>
        unresolvedMembers.length > 0 ||
        (rule?.parsed.kind === 'memberOf' && rule.parsed.groupIds.some((id) => this.#isUnread(id))),
    );
  }

  /** The direct groups of a person, listed or by rule. */
  directGroups(personIndex: number): Group[] {
    const { starts, groups } = this.#groupsOfPeople();
    const result: Group[] = [];
    for (let index = starts[personIndex] ?? 0; index < (starts[personIndex + 1] ?? 0); index++) {
      const group = this.groups[groups[index] ?? -1];
      if (group !== undefined && group.rule === undefined) result.push(group);
    }
    for (const group of this.#dynamicGroups)
      if (this.directMembers(group).has(personIndex)) result.push(group);
    return result;
  }

  /** Whether somebody can be in more than `count` groups. */
  canBeInMoreGroupsThan(count: number): boolean {
    const { coverage } = this.snapshot;
    return this.groups.length > count || (coverage?.unreadGroups.size ?? 0) > 0;
  }

  /** An upper bound of a person's direct groups: listed ones, and every rule. */
  maxDirectGroups(personIndex: number): number {
    const { starts } = this.#groupsOfPeople();
    return (starts[personIndex + 1] ?? 0) - (starts[personIndex] ?? 0) + this.#dynamicGroups.length;
  }

  /**
   * Groups and all groups that contain them, each with the group within it through which it was
   * found.
   */
  containingGroups(from: readonly Group[]): ReadonlyMap<Group, Group | undefined> {
    const reachedThrough = new Map<Group, Group | undefined>(
      from.map((group) => [group, undefined]),
    );
    for (const group of reachedThrough.keys())
      for (const index of this.#containingGroupIndexes[group.index] ?? []) {
        const next = this.groups[index];
        if (next !== undefined && !reachedThrough.has(next)) reachedThrough.set(next, group);
      }
    return reachedThrough;
  }

  /**
   * The number of counted groups among the given ones and those that contain them. Counts up to
   * `max` + 1.
   */
  countContainingGroups(
    from: readonly Group[],
    max: number,
    isCounted: (group: Group) => boolean = () => true,
  ): number {
    const visited = new Set(from);
    let count = 0;
    for (const group of visited) {
      if (isCounted(group) && ++count > max) break;
      for (const index of this.#containingGroupIndexes[group.index] ?? []) {
        const next = this.groups[index];
        if (next !== undefined) visited.add(next);
      }
    }
    return count;
  }

  /** The context of a rule besides the person. */
  ruleContext(rule: CompiledRule, person: PersonRecord): RuleContext {
    const { now } = this;
    if (rule.neededContext === 'manager') return { now, managerId: this.#idOf(person.managerId) };
    const personIndex =
      rule.neededContext === 'groups' ? this.#personIndexes.get(person.id) : undefined;
    return personIndex === undefined
      ? { now }
      : { now, groupIds: new Set(this.directGroups(personIndex).map(({ record }) => record.id)) };
  }

  /**
   * Whether the members of a group in a memberOf rule are unknown; a group that is missing does not
   * exist if all of the directory was read.
   */
  #isUnread(id: string): boolean {
    const source = this.group(id);
    return source === undefined
      ? this.snapshot.coverage !== undefined
      : source.unresolvedMembers.length > 0;
  }

  /**
   * The same group in other memberships of the same people, if its definition and its members are
   * equal.
   */
  #sameGroup(record: GroupRecord, index: number): Group | undefined {
    const from = this.reuse?.from;
    const group = from?.groups[index];
    if (
      from === undefined ||
      group?.record !== record ||
      from.snapshot.people !== this.snapshot.people
    )
      return undefined;
    const isSameGroup = (inner: number): boolean =>
      from.groups[inner]?.record.id === this.snapshot.groups[inner]?.id;
    const isUnknown = (member: string): boolean => !this.#groupIndexes.has(member);
    return group.groups.every(isSameGroup) && group.unresolvedMembers.every(isUnknown)
      ? group
      : undefined;
  }

  /** The group in the memberships to reuse, if its members there are the same. */
  #reusableGroup(group: Group): { readonly from: Memberships; readonly group: Group } | undefined {
    if (this.reuse?.isUnchanged(group) !== true) return undefined;
    const sameGroup = this.reuse.from.group(group.record.id);
    return sameGroup && { from: this.reuse.from, group: sameGroup };
  }

  /** The people in a group: those that are listed, or whom its rule matches. */
  #computeMembers(group: Group): PeopleSet {
    const { people } = this.snapshot;
    const set = new PeopleSet(people.length);
    const { rule } = group;
    if (rule === undefined) {
      for (const person of group.people) set.add(person);
      return set;
    }
    if (rule.subject !== 'user' || group.unresolvedMembers.length > 0) return set;
    // Groups with rules that refer to each other start empty
    this.#directMembers[group.index] = set;
    const { now } = this;
    if (rule.parsed.kind === 'memberOf') {
      const sources = rule.parsed.groupIds.flatMap((id) => this.group(id) ?? []);
      const peopleInSources = new PeopleSet(people.length);
      for (const source of sources) peopleInSources.addAll(this.directMembers(source));
      for (const personIndex of peopleInSources) {
        const groupIds = new Set(
          sources
            .filter((source) => this.directMembers(source).has(personIndex))
            .map(({ record }) => record.id),
        );
        if (rule.matches(this.person(personIndex), { now, groupIds })) set.add(personIndex);
      }
      return set;
    }
    if (rule.neededContext === 'manager') {
      people.forEach((person, personIndex) => {
        if (rule.matches(person, this.ruleContext(rule, person))) set.add(personIndex);
      });
      return set;
    }
    const context = { now };
    for (let personIndex = 0; personIndex < people.length; personIndex++)
      if (rule.matches(this.person(personIndex), context)) set.add(personIndex);
    return set;
  }

  #idOf(reference: string | undefined): string | undefined {
    const personIndex = reference === undefined ? undefined : this.#personIndexes.get(reference);
    return personIndex === undefined ? reference : this.person(personIndex).id;
  }

  /** The groups that list each person, computed once. */
  #groupsOfPeople(): { readonly starts: Int32Array; readonly groups: Int32Array } {
    if (this.#listedGroups !== undefined) return this.#listedGroups;
    const starts = new Int32Array(this.snapshot.people.length + 1);
    for (const { people } of this.groups)
      for (const personIndex of people)
        starts[personIndex + 1] = (starts[personIndex + 1] ?? 0) + 1;
    for (let index = 1; index < starts.length; index++)
      starts[index] = (starts[index] ?? 0) + (starts[index - 1] ?? 0);
    const next = starts.slice();
    const groups = new Int32Array(starts[starts.length - 1] ?? 0);
    for (const { people, index } of this.groups)
      for (const personIndex of people) {
        const nextIndex = next[personIndex] ?? 0;
        groups[nextIndex] = index;
        next[personIndex] = nextIndex + 1;
      }
    return (this.#listedGroups = { starts, groups });
  }
}
