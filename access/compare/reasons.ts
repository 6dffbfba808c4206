import type { PeopleSet } from '../directory/people-set.js';
import { type Group, groupNameOf } from '../directory/group.js';
import { groupsOfPerson, groupsWithUnknownMembers, simulateSignIn } from '../decide/sign-in.js';
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
 * @param admittingApp the app on the side on which these people get in
 * @param otherApp the app on the other side
 */
export function changeReasons(
  direction: Reason['direction'],
  people: PeopleSet,
  admittingApp: AppAccess | undefined,
  otherApp: AppAccess | undefined,
  admittingModel: AccessModel,
  otherModel: AccessModel,
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
      admittingApp,
      otherApp,
      admittingModel,
      otherModel,
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
  admittingApp: AppAccess | undefined,
  otherApp: AppAccess | undefined,
  admittingModel: AccessModel,
  otherModel: AccessModel,
): { readonly why: string; readonly way: readonly string[] } {
  const isGain = direction === 'gained';
  if (admittingApp?.directorySignIn === undefined) return { why: 'the app changed', way: [] };
  if (otherApp === undefined)
    return { why: isGain ? 'the app is new' : 'the app is removed', way: [] };
  if (otherApp.settings?.enabled !== true || otherApp.directorySignIn === undefined)
    return {
      why: isGain ? 'the directory is a provider now' : 'the directory is no provider any more',
      way: [],
    };
  const { memberships } = admittingModel;
  const person = memberships.person(personIndex);
  const groups = groupsOfPerson(personIndex, memberships);
  const uncertainGroups = groupsWithUnknownMembers(admittingApp.directorySignIn, memberships);
  const { checks } = simulateSignIn(admittingApp.directorySignIn, person, groups, uncertainGroups);
  const otherSignIn = simulateSignIn(
    otherApp.directorySignIn,
    person,
    groupsOfPerson(personIndex, otherModel.memberships),
    groupsWithUnknownMembers(otherApp.directorySignIn, otherModel.memberships),
  );
  if (otherSignIn.noTokenReason === 'application-disabled')
    return {
      why: isGain ? 'the application is enabled now' : 'the application is disabled now',
      way: [],
    };
  if (otherSignIn.noTokenReason === 'unassigned') {
    const { assignmentRequired, assignedIds } = admittingApp.directorySignIn.application;
    const assignedGroup = assignmentRequired
      ? groups.direct.find(({ record }) => assignedIds.has(record.id))
      : undefined;
    const why = describeMembershipChange(assignedGroup, personIndex, isGain, otherModel);
    return why === undefined || assignedGroup === undefined
      ? {
          why: isGain
            ? 'no assigned role is required any more'
            : 'an assigned role is required now',
          way: [],
        }
      : { why, way: [groupNameOf(assignedGroup)] };
  }
  const failedCheck = otherSignIn.checks.find(({ match }) => match === undefined);
  if (failedCheck === undefined)
    return { why: otherSignIn.unknownReason ?? 'the provider changed', way: [] };
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
    why: describeDifference(way, personIndex, isGain, otherApp, otherModel),
    way: way.map(groupNameOf),
  };
}

/** The differences on the other side, along the groups that give access on this side. */
function describeDifference(
  way: readonly Group[],
  personIndex: number,
  isGain: boolean,
  otherApp: AppAccess,
  otherModel: AccessModel,
): string {
  const { memberships } = otherModel;
  const [first] = way;
  const last = way.at(-1);
  if (first === undefined || last === undefined) return 'the groups changed';
  const policy = otherApp.directorySignIn?.settings.policy;
  const isAllowed = [...(policy?.groups ?? []), ...(policy?.claimGroups ?? [])].some(
    (id) => id.toLowerCase() === last.record.id,
  );
  if (!isAllowed)
    return isGain
      ? `the group ${groupNameOf(last)} is allowed now`
      : `the group ${groupNameOf(last)} is not allowed any more`;
  const membershipChange = describeMembershipChange(first, personIndex, isGain, otherModel);
  if (membershipChange !== undefined) return membershipChange;
  for (let outerIndex = 1; outerIndex < way.length; outerIndex++) {
    const [inner, outer] = [way[outerIndex - 1] as Group, way[outerIndex] as Group];
    const otherGroup = memberships.group(outer.record.id);
    if (
      otherGroup?.groups.some(
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
  const otherGroup = memberships.group(group.record.id);
  if (otherGroup !== undefined && memberships.directMembers(otherGroup).has(personIndex))
    return undefined;
  const name = groupNameOf(group);
  const [now, before] = isGain ? [group, otherGroup] : [otherGroup, group];
  if (now?.record.rule === before?.record.rule)
    return isGain ? `added to ${name}` : `removed from ${name}`;
  if (now?.record.rule === undefined)
    return `${name} has no rule any more: ${before?.record.rule ?? ''}`;
  return before?.record.rule === undefined
    ? `${name} has a rule now: ${now.record.rule}`
    : `the rule of ${name} is now ${now.record.rule} (was ${before.record.rule})`;
}
