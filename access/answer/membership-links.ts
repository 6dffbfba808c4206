import {
  type EvaluationDetails,
  traceMembershipRule,
} from '../../services/directory/membership-rule/index.js';
import type { PersonGroups, SignInResult } from '../decide/sign-in.js';
import { type Group, groupNameOf } from '../directory/group.js';
import type { Memberships } from '../directory/memberships.js';
import type { PersonRecord } from '../directory/records.js';
import { maxGroupsInToken } from '../token-claims.js';
import type { ChainLink } from './chain-link.js';

/**
 * How a person is a member of an allowed group, from the group that lists the person to that one.
 */
export function memberLinks(
  allowed: Group,
  person: PersonRecord,
  groups: PersonGroups,
  memberships: Memberships,
): ChainLink[] {
  const groupPath: Group[] = [];
  for (
    let group: Group | undefined = allowed;
    group !== undefined;
    group = groups.reachedThrough.get(group)
  )
    groupPath.push(group);
  return groupPath.reverse().flatMap((group, index): ChainLink[] => {
    const nested = groupPath[index - 1];
    const link = { kind: 'group', name: groupNameOf(group), verdict: 'pass' } as const;
    if (nested !== undefined) return [{ ...link, value: `holds ${groupNameOf(nested)}` }];
    if (group.rule === undefined) return [{ ...link, value: 'member by name' }];
    return [
      { ...ruleLink(group, person, memberships), verdict: 'pass' },
      { ...link, value: 'member by its rule' },
    ];
  });
}

/** How many of the rules that don't select a person are shown. */
const maxShownRules = 5;

/** Why an allowed group doesn't let a person in. @param id the object id of the group */
export function nonMemberLinks(
  id: string,
  {
    person,
    groups,
    signIn,
    application,
  }: {
    readonly person: PersonRecord;
    readonly groups: PersonGroups;
    readonly signIn: SignInResult;
    readonly application: string;
  },
  memberships: Memberships,
): ChainLink[] {
  const group = memberships.group(id);
  if (group === undefined)
    return [{ kind: 'group', name: id, value: 'a group that is not known', verdict: 'unknown' }];
  const nestedGroups = memberships.groupAndNested(group);
  const link: ChainLink = {
    kind: 'group',
    name: groupNameOf(group),
    value: 'not a member',
    verdict: memberships.hasUnknownMembers(group) ? 'unknown' : 'fail',
  };
  if (groups.reachedThrough.has(group))
    return [
      {
        ...link,
        value: signIn.hasTooManyGroups
          ? `member, but the token of a person in more than ${String(maxGroupsInToken)} groups names none${overageText(signIn, application)}`
          : signIn.outcome === 'unknown'
            ? 'member, if tokens name it'
            : 'member, but the token does not name it',
        verdict: signIn.outcome === 'unknown' ? 'unknown' : 'fail',
      },
    ];
  const rules = nestedGroups.filter(({ rule }) => rule !== undefined).slice(0, maxShownRules);
  return [
    ...rules.map((each): ChainLink => ({
      ...ruleLink(each, person, memberships),
      verdict: 'fail',
    })),
    link,
  ];
}

/** What a sign-in layer does about groups that a token leaves out. */
function overageText({ outcome }: SignInResult, application: string): string {
  return outcome === 'unknown'
    ? ': the sidecar looks them up, where the registration may read them'
    : `, and ${application} may not look them up`;
}

/** A rule with the values that it read. */
function ruleLink(
  group: Group,
  person: PersonRecord,
  memberships: Memberships,
): Omit<ChainLink, 'verdict'> {
  const { rule } = group;
  if (rule === undefined) throw new TypeError(`${groupNameOf(group)} has no rule`);
  const trace = traceMembershipRule(rule.parsed, person, memberships.ruleContext(rule, person));
  const wholeRule = trace.membershipRuleEvaluationDetails;
  const clause = admittingClause(wholeRule);
  const prefix = clause === wholeRule ? '' : `by ${clause.expression}: `;
  return {
    kind: 'rule',
    name: groupNameOf(group),
    value: `${rule.parsed.text} (${prefix}${observations(clause).join(', ')})`,
  };
}

/** The clause by which a rule selects somebody: the whole rule, unless it has alternatives. */
function admittingClause(details: EvaluationDetails): EvaluationDetails {
  const parts = details.expressionEvaluationDetails;
  if (!details.expressionResult || parts.length < 2) return details;
  const hasAlternatives = parts.some(({ expressionResult }) => !expressionResult);
  const first = parts.find(({ expressionResult }) => expressionResult);
  return hasAlternatives && first !== undefined ? admittingClause(first) : details;
}

function observations(details: EvaluationDetails): string[] {
  const { propertyToEvaluate: property } = details;
  const ownObservation =
    property === null
      ? []
      : [
          `${property.propertyName} is ${property.propertyValue === null ? 'not set' : JSON.stringify(property.propertyValue)}`,
        ];
  return [
    ...new Set([...ownObservation, ...details.expressionEvaluationDetails.flatMap(observations)]),
  ];
}
