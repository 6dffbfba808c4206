import { decideVisit, type Visit } from '../answer/visit.js';
import { answerRequest, type RequestAnswer } from '../decide/request-answer.js';
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
  let visit: Visit | undefined;
  return {
    outcome: outcomeAt(path, known, only),
    // the steps take longer than the decision, and few are looked at
    get visit() {
      return (visit ??= decideVisit(only, known, path, 0));
    },
  };
}

/** @param only the model whose one person is decided about */
function outcomeAt(path: string, app: AppAccess, only: AccessModel): Decision['outcome'] {
  if (isPublic(app, path)) return 'in';
  const { directory } = app;
  if (directory === undefined) return 'out';
  const { memberships } = only;
  const seen = signIn(
    directory,
    memberships.person(0),
    groupsOf(0, memberships),
    groupsWithUnknownMembers(directory, memberships),
  );
  if (seen.outcome === 'in') return requirementsMet(answerRequest(app, path, seen, memberships));
  return seen.outcome === 'unknown' ? 'unknown' : 'out';
}

/** Whether somebody has what the path needs, who signs in as strongly as it asks. */
function requirementsMet({ requirements = [] }: RequestAnswer): Decision['outcome'] {
  if (requirements.some(({ allowed }) => allowed === false)) return 'out';
  const isOpen = requirements.some(
    ({ allowed, by }) => allowed === 'unknown' && by !== 'acrValues',
  );
  return isOpen ? 'unknown' : 'in';
}
