import { hasUnknownMembers } from '../decide/sign-in.js';
import { publicPaths } from '../decide/public-paths.js';
import { type Group, groupNameOf } from '../directory/group.js';
import type { Memberships } from '../directory/memberships.js';
import type { AppAccess } from '../stack/apps.js';
import { outsideAccessOf } from './outside-access.js';

/** Visitors of an app who are not among the people that were read. */
export interface UnlistedVisitors {
  /** Who they are: `anyone with an account at codehost`. */
  readonly who: string;
  /** How many they can be; infinite where nobody can count them. */
  readonly atMost: number;
}

/**
 * Who may get into an app and is not among the people that were read: browsers without a session,
 * accounts elsewhere, members of groups that were not read, and accounts that were not found.
 *
 * @param expectedGroups groups whose members may get in, whoever they are
 */
export function unlistedVisitors(
  app: AppAccess,
  memberships: Memberships,
  expectedGroups: readonly Group[] = [],
): UnlistedVisitors | undefined {
  if (publicPaths(app).includes('/*'))
    return { who: 'a browser without a session', atMost: Infinity };
  const outside = outsideAccessOf(app).map(({ who }) => who);
  if (outside.length > 0) return { who: outside.join(' or '), atMost: Infinity };
  const { directorySignIn } = app;
  if (directorySignIn?.application.isEnabled !== true) return undefined;
  const { groups, identities, claimGroups } = directorySignIn.settings.policy;
  const lists = [
    { groups, identities },
    { groups: claimGroups, identities: [] },
  ].filter((list) => list.groups.length + list.identities.length > 0);
  // whoever gets in is in all of these lists: one that names people who are known limits the others
  const visitorsOfLists = lists.map((list) => unlistedIn(list, memberships, expectedGroups));
  return visitorsOfLists.some((each) => each === undefined) ? undefined : visitorsOfLists[0];
}

/** Who may be in a list of groups and accounts and is not among the people that were read. */
function unlistedIn(
  list: { readonly groups: readonly string[]; readonly identities: readonly string[] },
  memberships: Memberships,
  expectedGroups: readonly Group[],
): UnlistedVisitors | undefined {
  const expected = new Set(expectedGroups.flatMap((group) => memberships.groupAndNested(group)));
  const { people, coverage } = memberships.snapshot;
  // if everyone was read, there is no member who is not among the people
  const isEveryoneKnown = people.length > 0 && coverage?.people !== 'named';
  const unreadGroups = list.groups.flatMap((id) => {
    if (isEveryoneKnown) return [];
    const group = memberships.group(id);
    if (group === undefined) return [nameInReference(id)];
    return hasUnknownMembers(id, memberships) && !expected.has(group) ? [groupNameOf(group)] : [];
  });
  if (unreadGroups.length > 0)
    return { who: `members of ${unreadGroups.join(' or ')} who are not known`, atMost: Infinity };
  const applications = new Set(memberships.snapshot.servicePrincipals.map(({ id }) => id));
  const accounts = list.identities.filter(
    (id) =>
      memberships.personIndexOf(id.toLowerCase()) === undefined &&
      !applications.has(id.toLowerCase()) &&
      !id.startsWith('servicePrincipal:'),
  );
  if (accounts.length === 0) return undefined;
  const names = accounts.map(nameInReference);
  return {
    who: `${names.join(' and ')}, who ${names.length === 1 ? 'is' : 'are'} not known`,
    atMost: names.length,
  };
}

/** The name in a reference that was not found: `user:ada@contoso.example`. */
function nameInReference(id: string): string {
  return id.replace(/^(user|group|principals)[:.]/, '');
}
