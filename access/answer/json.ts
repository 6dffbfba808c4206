import type { AccessModel } from '../model.js';
import type { AppOverview } from './overview.js';
import { cloudDifferences } from '../decide/cloud.js';
import type { AccessTarget, Visit } from './visit.js';

/** More people than these are listed only when they are asked for. */
const mostListed = 10_000;

/** One visit as programs read it. */
export function visitData({ app, path, person, answer, chain, differences }: Visit): object {
  return {
    app: app.name,
    ...(person === undefined ? { anonymous: true } : { person }),
    path,
    allowed: answer.allowed,
    status: answer.status ?? null,
    chain,
    ...(differences.length === 0 ? {} : { differences }),
  };
}

/** How an overview is printed. */
export interface OverviewOptions {
  /** Whether people are listed however many they are. */
  readonly listed: boolean;
  readonly target: AccessTarget;
}

/** Who gets into an app as programs read it. */
export function overviewData(each: AppOverview, { memberships }: AccessModel, { listed, target }: OverviewOptions): object {
  const { app, entrants, groups } = each;
  const count = entrants.in.count;
  const nameAt = (place: number): string => memberships.person(place).body.userPrincipalName ?? memberships.person(place).id;
  const people = [...(listed || count <= mostListed ? entrants.in : [])].map((place) => ({ person: nameAt(place), provider: 'directory' }));
  const unknown = entrants.unknown.count;
  const differences = target === 'azure' ? cloudDifferences(app) : [];
  return {
    app: app.name,
    stack: app.stack,
    reach: app.reach,
    public: each.public,
    anyone: each.anyone,
    people,
    ...(people.length < count ? { peopleListed: false } : {}),
    groups: groups.map(({ name, id, people: inside }) => ({ group: name, id, people: inside ?? 'unknown' })),
    applications: each.applications,
    counts: { people: count, guests: each.guests, groups: groups.length, applications: each.applications.length, unknown },
    ...(differences.length === 0 ? {} : { differences }),
  };
}
