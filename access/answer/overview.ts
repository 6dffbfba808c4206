import { groupNameOf } from '../directory/group.js';
import type { AccessModel } from '../model.js';
import { type AdmittedPeople, admittedPeople } from '../decide/admitted-people.js';
import { publicPaths } from '../decide/public-paths.js';
import { checkPolicy } from '../../services/auth-sidecar/access-decisions.js';
import type { ServicePrincipalRecord } from '../directory/records.js';
import type { AppAccess, DirectorySignIn } from '../stack/apps.js';

/** Who gets into an app. */
export interface AppOverview {
  readonly app: AppAccess;
  /** Paths that need no sign-in; `/*` for the whole app. */
  readonly publicPaths: readonly string[];
  /** Providers at which any account gets in. */
  readonly providersOpenToAnyone: readonly string[];
  /** The people of the directory who get in, and those of whom it is not known. */
  readonly entrants: AdmittedPeople;
  /** How many of the admitted people are guests of the directory. */
  readonly guestCount: number;
  /** Groups whose members get in, with their number of people; undefined if unknown. */
  readonly groups: readonly {
    readonly name: string;
    /** The object id; of a declared group that does not exist yet, a generated one. */
    readonly id: string;
    readonly peopleCount: number | undefined;
  }[];
  /** Applications that may call with their own tokens. */
  readonly applications: readonly string[];
}

/**
 * Who gets into each app: public paths, accounts outside the directory, and people of the
 * directory.
 */
export function accessOverview(
  model: AccessModel,
  apps: readonly AppAccess[] = model.apps,
): AppOverview[] {
  const entrants = admittedPeople(apps, model.memberships);
  return apps.map((app) => {
    const people = entrants.get(app) as AdmittedPeople;
    return {
      app,
      publicPaths: publicPaths(app),
      providersOpenToAnyone: providersOpenToAnyone(app),
      entrants: people,
      guestCount: countGuests(people, model),
      groups: app.directorySignIn === undefined ? [] : groupsLetIn(app.directorySignIn, model),
      applications:
        app.directorySignIn === undefined ? [] : applicationsLetIn(app.directorySignIn, model),
    };
  });
}

/** Providers at which any account gets in. */
export function providersOpenToAnyone({
  directorySignIn,
  otherProviders,
}: AppAccess): readonly string[] {
  if (
    directorySignIn === undefined ||
    (directorySignIn.tenant === 'own' &&
      (directorySignIn.isEveryoneKnown || !directorySignIn.application.isEnabled))
  )
    return otherProviders;
  const { identities, groups, claimGroups } = directorySignIn.settings.policy;
  return identities.length + groups.length + claimGroups.length === 0
    ? ['directory', ...otherProviders]
    : otherProviders;
}

function countGuests({ admitted: people }: AdmittedPeople, { memberships }: AccessModel): number {
  let guests = 0;
  for (const personIndex of people)
    if (memberships.person(personIndex).body.userType === 'Guest') guests++;
  return guests;
}

function groupsLetIn(
  { settings }: DirectorySignIn,
  { memberships }: AccessModel,
): AppOverview['groups'] {
  const ids = [...new Set([...settings.policy.groups, ...settings.policy.claimGroups])];
  return ids.map((id) => {
    const group = memberships.group(id);
    if (group === undefined) return { name: id, id, peopleCount: undefined };
    return {
      name: groupNameOf(group),
      id: group.record.id,
      peopleCount: memberships.allMembers(group).count,
    };
  });
}

/**
 * Applications of the directory whose own tokens the policy accepts; empty if it restricts nothing,
 * since any application can get a token, or if the directory issues none.
 */
function applicationsLetIn(
  { settings, application }: DirectorySignIn,
  { directory }: AccessModel,
): string[] {
  const { applications, claimApplications, identities, groups, claimGroups } = settings.policy;
  const lists = [applications, claimApplications, identities, groups, claimGroups];
  if (!application.isEnabled || lists.every((list) => list.length === 0)) return [];
  const isLetIn = ({ id, appId, isEnabled }: ServicePrincipalRecord): boolean =>
    isEnabled &&
    (!application.assignmentRequired || application.assignedIds.has(id)) &&
    checkPolicy(
      { oid: id, sub: id, azp: appId, appid: appId },
      settings.policy,
      application.clientId,
    ).every(({ match }) => match !== undefined);
  const names = directory.servicePrincipals.filter(isLetIn).map(({ displayName }) => displayName);
  const ids = new Set(directory.servicePrincipals.map(({ appId }) => appId.toLowerCase()));
  const otherIds =
    identities.length + groups.length + claimGroups.length > 0
      ? []
      : [...new Set([...applications, ...claimApplications])];
  return [...names, ...otherIds.filter((id) => !ids.has(id.toLowerCase()))];
}
