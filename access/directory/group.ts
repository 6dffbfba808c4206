import { type MembershipRule, parseMembershipRule } from '../../kinds/membership-rule/index.js';
import {
  type CompiledRule,
  compileMembershipRule,
} from '../../services/directory/membership-rule/index.js';
import { userPropertiesInRule } from './directory-scope.js';
import type { GroupRecord, DirectoryCoverage, ServicePrincipalRecord } from './records.js';

/** A group with its members resolved. */
export interface Group {
  /** Its place in {@link DirectorySnapshot.groups}. */
  readonly index: number;
  readonly record: GroupRecord;
  /** Undefined where members are listed, also where the rule is paused or can't be parsed. */
  readonly rule: CompiledRule | undefined;
  /** Indexes of people who are listed as members. */
  readonly people: readonly number[];
  /** Indexes of nested groups. */
  readonly groups: readonly number[];
  readonly applications: readonly ServicePrincipalRecord[];
  /**
   * The ids of members that were not read; for a dynamic group the text of its rule, if too little
   * was read of people to decide it.
   */
  readonly unresolvedMembers: readonly string[];
}

/** The name of a group in sentences: the stack's name, otherwise the display name. */
export function groupNameOf({ record }: Group): string {
  return record.declaredName ?? record.displayName;
}

/** The members that groups can have, by id: people and groups as their indexes. */
export interface PrincipalLookup {
  /** The keys are ids and user principal names, both in lower case. */
  readonly people: ReadonlyMap<string, number>;
  readonly groups: ReadonlyMap<string, number>;
  readonly applications: ReadonlyMap<string, ServicePrincipalRecord>;
}

/**
 * Resolves the members of a group.
 *
 * @param coverage how much of the directory was read; undefined if everything was.
 */
export function resolveGroup(
  record: GroupRecord,
  index: number,
  principals: PrincipalLookup,
  coverage: DirectoryCoverage | undefined,
): Group {
  const people: number[] = [];
  const groups: number[] = [];
  const applications: ServicePrincipalRecord[] = [];
  const unresolvedMembers: string[] = [];
  const rule = compiledRuleOf(record);
  if (rule !== undefined && !isDecidable(rule.parsed, coverage))
    unresolvedMembers.push(rule.parsed.text);
  for (const member of rule === undefined ? record.members : []) {
    const person = principals.people.get(member);
    const group = principals.groups.get(member);
    const application = principals.applications.get(member);
    if (person !== undefined) people.push(person);
    else if (group !== undefined) groups.push(group);
    else if (application !== undefined) applications.push(application);
    else unresolvedMembers.push(member);
  }
  return { index, record, rule, people, groups, applications, unresolvedMembers };
}

const compiledRules = new WeakMap<GroupRecord, CompiledRule>();

/** The rule of a group, compiled once; undefined where it has none that can be read. */
function compiledRuleOf(record: GroupRecord): CompiledRule | undefined {
  const cached = compiledRules.get(record);
  if (cached !== undefined || record.rule === undefined) return cached;
  const { rule } = parseMembershipRule(record.rule);
  if (rule === undefined) return undefined;
  const compiled = compileMembershipRule(rule);
  compiledRules.set(record, compiled);
  return compiled;
}

/** Whether what was read of a directory says which people a rule matches; one for devices: none. */
function isDecidable(rule: MembershipRule, coverage: DirectoryCoverage | undefined): boolean {
  if (coverage === undefined || rule.kind === 'memberOf' || rule.subject !== 'user') return true;
  if (rule.kind === 'directReports') return coverage.directReportsOf.includes(rule.managerId);
  return (
    coverage.people === 'all' &&
    userPropertiesInRule(rule).every((name) => coverage.properties.includes(name))
  );
}
