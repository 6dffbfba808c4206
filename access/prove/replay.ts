import { decideVisit, type Visit } from '../answer/visit.js';
import { groupsOf, groupsWithUnknownMembers, signIn } from '../decide/sign-in.js';
import { type AccessModel, modelOf } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import { directoryOf, type ExamplePerson } from './example-person.js';
import { isPublic } from '../decide/public-paths.js';
import { pathClasses } from './paths.js';

/** How an app decides about a person. */
export interface Decision {
  readonly outcome: 'in' | 'out' | 'unknown';
  readonly visit: Visit;
}

/**
 * Decides about a person as the sign-in layer and the directory do.
 *
 * @param now milliseconds since 1970
 * @param path if absent, the first path that lets the person in, otherwise `/`
 */
export function replayDecision(
  app: AppAccess,
  model: AccessModel,
  person: ExamplePerson,
  now: number,
  path?: string,
): Decision {
  if (path !== undefined) return replayAt(path, app, model, person, now);
  const decisions = pathClasses([app]).map((each) => replayAt(each, app, model, person, now));
  return decisions.find(({ outcome }) => outcome === 'in') ?? (decisions[0] as Decision);
}

function replayAt(
  path: string,
  app: AppAccess,
  model: AccessModel,
  person: ExamplePerson,
  now: number,
): Decision {
  const only = modelOf([], directoryOf(model.directory, person), { now });
  const { memberships } = only;
  const { directory } = app;
  const provider = directory && {
    ...directory,
    application: {
      ...directory.application,
      assigned: new Set(
        person.assigned.includes(directory.application.clientId)
          ? [memberships.person(0).id]
          : person.like !== undefined && directory.application.assigned.has(person.like.id)
            ? [person.like.id]
            : [],
      ),
    },
  };
  const known: AppAccess = { ...app, directory: provider };
  const seen = decideVisit(only, known, path, 0);
  if (isPublic(app, path)) return { outcome: 'in', visit: seen };
  if (provider === undefined) return { outcome: 'out', visit: seen };
  const { outcome } = signIn(
    provider,
    memberships.person(0),
    groupsOf(0, memberships),
    groupsWithUnknownMembers(provider, memberships),
  );
  if (outcome === 'in') return { outcome: requirementsMet(seen), visit: seen };
  return { outcome: outcome === 'unknown' ? 'unknown' : 'out', visit: seen };
}

/** Whether somebody has what the path needs, who signs in as strongly as it asks. */
function requirementsMet({ answer: { requirements = [] } }: Visit): Decision['outcome'] {
  if (requirements.some(({ allowed }) => allowed === false)) return 'out';
  const isOpen = requirements.some(
    ({ allowed, by }) => allowed === 'unknown' && by !== 'acrValues',
  );
  return isOpen ? 'unknown' : 'in';
}
