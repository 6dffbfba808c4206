import { type MembershipRule, parseMembershipRule } from '../../kinds/membership-rule/index.js';
import {
  type CompiledRule,
  compileMembershipRule,
  type RuleContext,
} from '../../services/directory/membership-rule/index.js';
import { PeopleSet } from './bits.js';
import type {
  DirectorySnapshot,
  GroupRecord,
  PersonRecord,
  ReadPart,
  ServicePrincipalRecord,
} from './records.js';
import { hashOfName } from './pseudonyms.js';
import { propertiesOf } from './directory-scope.js';

/** A group with its members found. */
export interface Group {
  readonly index: number;
  readonly record: GroupRecord;
  readonly rule: CompiledRule | undefined;
  /** Indexes of people who are listed as members. */
  readonly people: readonly number[];
  readonly groups: readonly number[];
  readonly applications: readonly ServicePrincipalRecord[];
  /** Members and rule properties that were not read. */
  readonly unknown: readonly string[];
}

/** Determines the members of groups: listed, by rule and by nesting. */
export class Memberships {
  readonly groups: readonly Group[];
  readonly #people: ReadonlyMap<string, number>;
  readonly #groups = new Map<string, number>();
  readonly #direct: (PeopleSet | undefined)[] = [];
  readonly #whole = new Map<number, PeopleSet>();
  readonly #above: number[][];
  readonly #rules: readonly Group[];
  #listed: { readonly starts: Int32Array; readonly groups: Int32Array } | undefined;

  /**
   * @param now milliseconds since 1970, for rules that ask the time.
   * @param shared memberships of the same people whose sets are reused where `same` says that a
   *   group's members cannot differ.
   */
  constructor(
    readonly snapshot: DirectorySnapshot,
    private readonly now: number,
    private readonly shared?: {
      readonly from: Memberships;
      readonly same: (group: Group) => boolean;
    },
  ) {
    const { places, groups, servicePrincipals } = snapshot;
    this.#people = places;
    groups.forEach(({ id }, index) => this.#groups.set(id, index));
    const applications = new Map(servicePrincipals.map((each) => [each.id, each]));
    this.#above = groups.map(() => []);
    this.groups = groups.map(
      (record, index) =>
        this.#sameGroup(record, index) ?? this.#groupOf(record, index, applications),
    );
    for (const { index, groups: inside } of this.groups)
      for (const each of inside) this.#above[each]?.push(index);
    this.#rules = this.groups.filter(({ rule }) => rule !== undefined);
  }

  /** A group by its id, in any letter case. */
  group(id: string): Group | undefined {
    const index = this.#groups.get(id.toLowerCase());
    return index === undefined ? undefined : this.groups[index];
  }

  /** A person's index, by id or user principal name in lower case. */
  placeOf(idOrName: string): number | undefined {
    const { part } = this.snapshot;
    return (
      this.#people.get(idOrName) ??
      (part === undefined
        ? undefined
        : this.#people.get(part.named.get(hashOfName(idOrName)) ?? ''))
    );
  }

  person(place: number): PersonRecord {
    const record = this.snapshot.people[place];
    if (record === undefined) throw new RangeError(`there is no person at ${String(place)}`);
    return record;
  }

  /** The people in a group, listed or by its own rule. */
  directly(group: Group): PeopleSet {
    const known = this.#direct[group.index];
    if (known !== undefined) return known;
    const unchangedGroup = this.#taken(group);
    const set =
      unchangedGroup === undefined
        ? this.#work(group)
        : unchangedGroup.from.directly(unchangedGroup.group);
    this.#direct[group.index] = set;
    return set;
  }

  /** Everyone in a group, including nested groups. */
  inside(group: Group): PeopleSet {
    const known = this.#whole.get(group.index);
    if (known !== undefined) return known;
    const unchangedGroup = this.#taken(group);
    if (unchangedGroup !== undefined) return unchangedGroup.from.inside(unchangedGroup.group);
    const within = this.below(group);
    let set = this.directly(group);
    if (within.length > 1) {
      set = new PeopleSet(this.snapshot.people.length);
      for (const each of within)
        if (each.rule === undefined) for (const place of each.people) set.add(place);
        else set.addAll(this.directly(each));
    }
    this.#whole.set(group.index, set);
    return set;
  }

  /** A group and the groups in it, transitively. */
  below(group: Group): Group[] {
    const visited = new Set([group.index]);
    for (const index of visited)
      for (const inside of this.groups[index]?.groups ?? []) visited.add(inside);
    return [...visited].flatMap((index) => this.groups[index] ?? []);
  }

  /** Whether members of a group, including nested ones, are unknown. */
  isOpen(group: Group): boolean {
    return this.below(group).some(
      ({ unknown, rule }) =>
        unknown.length > 0 ||
        (rule?.rule.kind === 'memberOf' && rule.rule.groupIds.some((id) => this.#isUnread(id))),
    );
  }

  /** The direct groups of a person, listed or by rule. */
  directGroups(place: number): Group[] {
    const { starts, groups } = this.#lists();
    const result: Group[] = [];
    for (let at = starts[place] ?? 0; at < (starts[place + 1] ?? 0); at++) {
      const group = this.groups[groups[at] ?? -1];
      if (group !== undefined && group.rule === undefined) result.push(group);
    }
    for (const group of this.#rules) if (this.directly(group).has(place)) result.push(group);
    return result;
  }

  /** An upper bound of a person's direct groups: listed ones, and every rule. */
  mostDirectGroups(place: number): number {
    const { starts } = this.#lists();
    return (starts[place + 1] ?? 0) - (starts[place] ?? 0) + this.#rules.length;
  }

  /** The groups and all groups that contain them: each with the one that leads to it. */
  above(from: readonly Group[]): ReadonlyMap<Group, Group | undefined> {
    const ways = new Map<Group, Group | undefined>(from.map((group) => [group, undefined]));
    for (const group of ways.keys())
      for (const index of this.#above[group.index] ?? []) {
        const next = this.groups[index];
        if (next !== undefined && !ways.has(next)) ways.set(next, group);
      }
    return ways;
  }

  /**
   * The number of counted groups among the given ones and those that contain them. Counts up to
   * `most` + 1.
   */
  countAbove(
    from: readonly Group[],
    most: number,
    counts: (group: Group) => boolean = () => true,
  ): number {
    const visited = new Set(from);
    let count = 0;
    for (const group of visited) {
      if (counts(group) && ++count > most) break;
      for (const index of this.#above[group.index] ?? []) {
        const next = this.groups[index];
        if (next !== undefined) visited.add(next);
      }
    }
    return count;
  }

  /** The context of a rule besides the person. */
  ruleContext(rule: CompiledRule, person: PersonRecord): RuleContext {
    const { now } = this;
    if (rule.needs === 'manager') return { now, managerId: this.#idOf(person.managerId) };
    const place = rule.needs === 'groups' ? this.#people.get(person.id) : undefined;
    return place === undefined
      ? { now }
      : { now, groupIds: new Set(this.directGroups(place).map(({ record }) => record.id)) };
  }

  /** Whether the members of a group in a memberOf rule are unknown. */
  #isUnread(id: string): boolean {
    const source = this.group(id);
    return source === undefined ? this.snapshot.part !== undefined : source.unknown.length > 0;
  }

  /**
   * The same group in other memberships of the same people, if its definition and its members are
   * equal.
   */
  #sameGroup(record: GroupRecord, index: number): Group | undefined {
    const from = this.shared?.from;
    const group = from?.groups[index];
    if (
      from === undefined ||
      group?.record !== record ||
      from.snapshot.people !== this.snapshot.people
    )
      return undefined;
    const isThere = (inner: number): boolean =>
      from.groups[inner]?.record.id === this.snapshot.groups[inner]?.id;
    const isUnknown = (member: string): boolean => !this.#groups.has(member);
    return group.groups.every(isThere) && group.unknown.every(isUnknown) ? group : undefined;
  }

  #groupOf(
    record: GroupRecord,
    index: number,
    applications: ReadonlyMap<string, ServicePrincipalRecord>,
  ): Group {
    const people: number[] = [];
    const groups: number[] = [];
    const calling: ServicePrincipalRecord[] = [];
    const unknown: string[] = [];
    const compiled = compiledRuleOf(record);
    const rule = compiled?.rule;
    if (rule !== undefined && !canAnswer(rule, this.snapshot.part)) unknown.push(rule.text);
    for (const member of rule === undefined ? record.members : []) {
      const [person, group, application] = [
        this.#people.get(member),
        this.#groups.get(member),
        applications.get(member),
      ];
      if (person !== undefined) people.push(person);
      else if (group !== undefined) groups.push(group);
      else if (application !== undefined) calling.push(application);
      else unknown.push(member);
    }
    return {
      index,
      record,
      rule: compiled,
      people,
      groups,
      applications: calling,
      unknown,
    };
  }

  /**
   * Whether the people in a group are the same as in other memberships, so that their set is
   * reused.
   */
  isTakenFrom(other: Memberships, id: string): boolean {
    const group = this.group(id);
    if (group === undefined) return other.group(id) === undefined;
    return this.shared?.from === other && this.#taken(group) !== undefined;
  }

  #taken(group: Group): { readonly from: Memberships; readonly group: Group } | undefined {
    if (this.shared?.same(group) !== true) return undefined;
    const same = this.shared.from.group(group.record.id);
    return same && { from: this.shared.from, group: same };
  }

  #work(group: Group): PeopleSet {
    const { people } = this.snapshot;
    const set = new PeopleSet(people.length);
    const { rule } = group;
    if (rule === undefined) {
      for (const person of group.people) set.add(person);
      return set;
    }
    if (rule.subject !== 'user' || group.unknown.length > 0) return set;
    this.#direct[group.index] = set; // groups with rules that refer to each other start empty
    const { now } = this;
    if (rule.rule.kind === 'memberOf') {
      const sources = rule.rule.groupIds.flatMap((id) => this.group(id) ?? []);
      const inAny = new PeopleSet(people.length);
      for (const source of sources) inAny.addAll(this.directly(source));
      for (const place of inAny) {
        const groupIds = new Set(
          sources
            .filter((source) => this.directly(source).has(place))
            .map(({ record }) => record.id),
        );
        if (rule.matches(this.person(place), { now, groupIds })) set.add(place);
      }
      return set;
    }
    if (rule.needs === 'manager') {
      people.forEach((person, place) => {
        if (rule.matches(person, this.ruleContext(rule, person))) set.add(place);
      });
      return set;
    }
    const context = { now };
    for (let place = 0; place < people.length; place++)
      if (rule.matches(this.person(place), context)) set.add(place);
    return set;
  }

  #idOf(reference: string | undefined): string | undefined {
    const place = reference === undefined ? undefined : this.#people.get(reference);
    return place === undefined ? reference : this.person(place).id;
  }

  /** The groups of each person, for listed members. */
  #lists(): { readonly starts: Int32Array; readonly groups: Int32Array } {
    if (this.#listed !== undefined) return this.#listed;
    const starts = new Int32Array(this.snapshot.people.length + 1);
    for (const { people } of this.groups)
      for (const place of people) starts[place + 1] = (starts[place + 1] ?? 0) + 1;
    for (let at = 1; at < starts.length; at++)
      starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
    const next = starts.slice();
    const groups = new Int32Array(starts[starts.length - 1] ?? 0);
    for (const { people, index } of this.groups)
      for (const place of people) {
        const at = next[place] ?? 0;
        groups[at] = index;
        next[place] = at + 1;
      }
    return (this.#listed = { starts, groups });
  }
}

const compiledRules = new WeakMap<GroupRecord, CompiledRule>();

/** The rule of a group, compiled once; undefined where it has none that can be read. */
function compiledRuleOf(record: GroupRecord): CompiledRule | undefined {
  const known = compiledRules.get(record);
  if (known !== undefined || record.rule === undefined) return known;
  const { rule } = parseMembershipRule(record.rule);
  if (rule === undefined) return undefined;
  const compiled = compileMembershipRule(rule);
  compiledRules.set(record, compiled);
  return compiled;
}

/** Whether what was read of a directory says whom a rule matches. */
function canAnswer(rule: MembershipRule, part: ReadPart | undefined): boolean {
  if (part === undefined || rule.kind === 'memberOf') return true;
  if (rule.kind === 'directReports') return part.directReportsOf.includes(rule.managerId);
  return (
    part.people === 'all' && propertiesOf(rule).every((name) => part.properties.includes(name))
  );
}
