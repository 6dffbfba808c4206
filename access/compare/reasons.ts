import type { PeopleSet } from '../directory/people-set.js';
import { type Group, groupNameOf } from '../directory/group.js';
import { groupsOf, groupsWithUnknownMembers, simulateSignIn } from '../decide/sign-in.js';
import type { AccessModel } from '../model.js';
import type { AppAccess } from '../stack/apps.js';

/** Why some people gain or lose access. */
export interface Reason {
  /** Whether these people get in since the change, or no longer. */
  readonly direction: 'gained' | 'lost';
  /** What changed, for people: `the rule of shoppers is now …`. */
  readonly why: string;
  /** The groups from the person's to the allowed one that give access. */
  readonly way: readonly string[];
  /** The number of people. */
  readonly count: number;
  /** The indexes of some of them. */
  readonly examples: readonly number[];
}

/** How many people are examined; the others are counted for the most frequent reason. */
const maxExamined = 2_000;
const maxExamples = 5;

/**
 * The reasons why people get in on one side of a change and not on the other.
 *
 * @param insideAccess the app on the side on which these people get in
 * @param outsideAccess the app on the other side
 */
export function changeReasons(
  direction: Reason['direction'],
  people: PeopleSet,
  insideAccess: AppAccess | undefined,
  outsideAccess: AppAccess | undefined,
  insideModel: AccessModel,
  outsideModel: AccessModel,
): Reason[] {
  const entries = new Map<
    string,
    { why: string; way: readonly string[]; count: number; examples: number[] }
  >();
  let examined = 0;
  let unexamined = 0;
  for (const personIndex of people) {
    if (examined++ >= maxExamined) {
      unexamined++;
      continue;
    }
    const { why, way } = reasonOf(
      direction,
      personIndex,
      insideAccess,
      outsideAccess,
      insideModel,
      outsideModel,
    );
    const reason = entries.get(why) ?? { why, way, count: 0, examples: [] };
    reason.count++;
    if (reason.examples.length < maxExamples) reason.examples.push(personIndex);
    entries.set(why, reason);
  }
  const reasons = [...entries.values()].sort((a, b) => b.count - a.count);
  const [first] = reasons;
  if (first !== undefined) first.count += unexamined;
  return reasons.map((reason) => ({ direction, ...reason }));
}

function reasonOf(
  direction: Reason['direction'],
  personIndex: number,
  insideAccess: AppAccess | undefined,
  outsideAccess: AppAccess | undefined,
  insideModel: AccessModel,
  outsideModel: AccessModel,
): { readonly why: string; readonly way: readonly string[] } {
  const isGain = direction === 'gained';
  if (insideAccess?.directorySignIn === undefined) return { why: 'the app changed', way: [] };
  if (outsideAccess === undefined)
    return { why: isGain ? 'the app is new' : 'the app is removed', way: [] };
  if (outsideAccess.settings?.enabled !== true || outsideAccess.directorySignIn === undefined)
    return {
      why: isGain ? 'the directory is a provider now' : 'the directory is no provider any more',
      way: [],
    };
  const { memberships } = insideModel;
  const person = memberships.person(personIndex);
  const groups = groupsOf(personIndex, memberships);
  const uncertainGroups = groupsWithUnknownMembers(insideAccess.directorySignIn, memberships);
  const { checks } = simulateSignIn(insideAccess.directorySignIn, person, groups, uncertainGroups);
  const outsideSignIn = simulateSignIn(
    outsideAccess.directorySignIn,
    person,
    groupsOf(personIndex, outsideModel.memberships),
    groupsWithUnknownMembers(outsideAccess.directorySignIn, outsideModel.memberships),
  );
  if (outsideSignIn.noTokenReason === 'application-disabled')
    return {
      why: isGain ? 'the application is enabled now' : 'the application is disabled now',
      way: [],
    };
  if (outsideSignIn.noTokenReason === 'unassigned') {
    const { assignmentRequired, assignedIds } = insideAccess.directorySignIn.application;
    const assignedGroup = assignmentRequired
      ? groups.direct.find(({ record }) => assignedIds.has(record.id))
      : undefined;
    const why = describeMembershipChange(assignedGroup, personIndex, isGain, outsideModel);
    return why === undefined || assignedGroup === undefined
      ? {
          why: isGain
            ? 'no assigned role is required any more'
            : 'an assigned role is required now',
          way: [],
        }
      : { why, way: [groupNameOf(assignedGroup)] };
  }
  const failedCheck = outsideSignIn.checks.find(({ match }) => match === undefined);
  if (failedCheck === undefined)
    return { why: outsideSignIn.unknownReason ?? 'the provider changed', way: [] };
  if (failedCheck.kind === 'application')
    return { why: 'the applications that may call changed', way: [] };
  const check = checks.find(({ kind }) => kind === failedCheck.kind);
  if (check?.match === undefined)
    return { why: isGain ? 'no group is required any more' : 'a group is required now', way: [] };
  if (check.match.toLowerCase() === person.id)
    return {
      why: isGain
        ? 'the account is allowed by itself now'
        : 'the account is not allowed by itself any more',
      way: [],
    };
  const allowedGroup = memberships.group(check.match);
  if (allowedGroup === undefined) return { why: 'the groups changed', way: [] };
  const way: Group[] = [];
  for (
    let group: Group | undefined = allowedGroup;
    group !== undefined;
    group = groups.reachedThrough.get(group)
  )
    way.unshift(group);
  return {
    why: describeDifference(way, personIndex, isGain, outsideAccess, outsideModel),
    way: way.map(groupNameOf),
  };
}

/** The differences on the other side, along the groups that give access on this side. */
function describeDifference(
  way: readonly Group[],
  personIndex: number,
  isGain: boolean,
  outsideAccess: AppAccess,
  outsideModel: AccessModel,
): string {
  const { memberships } = outsideModel;
  const [first] = way;
  const last = way.at(-1);
  if (first === undefined || last === undefined) return 'the groups changed';
  const policy = outsideAccess.directorySignIn?.settings.policy;
  const isAllowed = [...(policy?.groups ?? []), ...(policy?.claimGroups ?? [])].some(
    (id) => id.toLowerCase() === last.record.id,
  );
  if (!isAllowed)
    return isGain
      ? `the group ${groupNameOf(last)} is allowed now`
      : `the group ${groupNameOf(last)} is not allowed any more`;
  const membershipChange = describeMembershipChange(first, personIndex, isGain, outsideModel);
  if (membershipChange !== undefined) return membershipChange;
  for (let outerIndex = 1; outerIndex < way.length; outerIndex++) {
    const [inner, outer] = [way[outerIndex - 1] as Group, way[outerIndex] as Group];
    const outsideGroup = memberships.group(outer.record.id);
    if (
      outsideGroup?.groups.some(
        (index) => memberships.groups[index]?.record.id === inner.record.id,
      ) === true
    )
      continue;
    return isGain
      ? `${groupNameOf(outer)} holds ${groupNameOf(inner)} now`
      : `${groupNameOf(outer)} does not hold ${groupNameOf(inner)} any more`;
  }
  return isGain
    ? `tokens name ${groupNameOf(last)} now`
    : `tokens do not name ${groupNameOf(last)} any more`;
}

/**
 * Why a person is in a group itself on one side only; undefined where the person is in it on the
 * other side, too.
 */
function describeMembershipChange(
  group: Group | undefined,
  personIndex: number,
  isGain: boolean,
  { memberships }: AccessModel,
): string | undefined {
  if (group === undefined) return undefined;
  const outsideGroup = memberships.group(group.record.id);
  if (outsideGroup !== undefined && memberships.directPersonIndexes(outsideGroup).has(personIndex))
    return undefined;
  const name = groupNameOf(group);
  const [now, before] = isGain ? [group, outsideGroup] : [outsideGroup, group];
  if (now?.record.rule === before?.record.rule)
    return isGain ? `added to ${name}` : `removed from ${name}`;
  if (now?.record.rule === undefined)
    return `${name} has no rule any more: ${before?.record.rule ?? ''}`;
  return before?.record.rule === undefined
    ? `${name} has a rule now: ${now.record.rule}`
    : `the rule of ${name} is now ${now.record.rule} (was ${before.record.rule})`;
}
