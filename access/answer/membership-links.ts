import {
  type EvaluationDetails,
  traceMembershipRule,
} from '../../services/directory/membership-rule/index.js';
import type { PersonGroups, SignIn } from '../decide/sign-in.js';
import type { Group } from '../directory/group.js';
import type { Memberships } from '../directory/memberships.js';
import type { PersonRecord } from '../directory/records.js';
import { maxGroupsInToken } from '../token-claims.js';
import type { ChainLink } from './chain-link.js';

/** How somebody is a member of an allowed group: from the group that names him to this one. */
export function memberLinks(
  allowed: Group,
  person: PersonRecord,
  groups: PersonGroups,
  memberships: Memberships,
): ChainLink[] {
  const way: Group[] = [];
  for (let group: Group | undefined = allowed; group !== undefined; group = groups.ways.get(group))
    way.push(group);
  return way.reverse().flatMap((group, at): ChainLink[] => {
    const below = way[at - 1];
    const link = { kind: 'group', name: groupName(group), verdict: 'pass' } as const;
    if (below !== undefined) return [{ ...link, value: `holds ${groupName(below)}` }];
    if (group.rule === undefined) return [{ ...link, value: 'member by name' }];
    return [
      { ...ruleLink(group, person, memberships), verdict: 'pass' },
      { ...link, value: 'member by its rule' },
    ];
  });
}

/** Why an allowed group doesn't let somebody in. @param id the object id of the group */
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
    readonly signIn: SignIn;
    readonly application: string;
  },
  memberships: Memberships,
): ChainLink[] {
  const group = memberships.group(id);
  if (group === undefined)
    return [{ kind: 'group', name: id, value: 'a group that is not known', verdict: 'unknown' }];
  const below = memberships.withNestedGroups(group);
  const link: ChainLink = {
    kind: 'group',
    name: groupName(group),
    value: 'not a member',
    verdict: memberships.hasUnknownMembers(group) ? 'unknown' : 'fail',
  };
  if (groups.ways.has(group))
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
  const rules = below.filter(({ rule }) => rule !== undefined).slice(0, 5);
  return [
    ...rules.map((each): ChainLink => ({
      ...ruleLink(each, person, memberships),
      verdict: 'fail',
    })),
    link,
  ];
}

/** What a sign-in layer does where a token holds no groups. */
function overageText({ outcome }: SignIn, application: string): string {
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
  if (rule === undefined) throw new TypeError(`${groupName(group)} has no rule`);
  const trace = traceMembershipRule(rule.rule, person, memberships.ruleContext(rule, person));
  const whole = trace.membershipRuleEvaluationDetails;
  const clause = admittingClause(whole);
  const by = clause === whole ? '' : `by ${clause.expression}: `;
  return {
    kind: 'rule',
    name: groupName(group),
    value: `${rule.rule.text} (${by}${observations(clause).join(', ')})`,
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
  const own =
    property === null
      ? []
      : [
          `${property.propertyName} is ${property.propertyValue === null ? 'not set' : JSON.stringify(property.propertyValue)}`,
        ];
  return [...new Set([...own, ...details.expressionEvaluationDetails.flatMap(observations)])];
}

function groupName({ record }: Group): string {
  return record.declared ?? record.displayName;
}
