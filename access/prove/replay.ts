import { decideVisit, type Visit } from '../answer/visit.js';
import { answerRequest, type RequestAnswer } from '../decide/request-answer.js';
import { groupsOf, groupsWithUnknownMembers, simulateSignIn } from '../decide/sign-in.js';
import { type AccessModel, modelOfApps } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import { directoryWithOnly, type ExamplePerson } from './example-person.js';
import { isPublic } from '../decide/public-paths.js';
import { samplePaths } from './app-paths.js';

/** How an app decides about a person. */
export interface Decision {
  /** Whether the person gets in at the path of `visit`. */
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
  const decisions = samplePaths([app]).map((each) => replayAt(each, app, model, person, now));
  return decisions.find(({ outcome }) => outcome === 'in') ?? (decisions[0] as Decision);
}

function replayAt(
  path: string,
  app: AppAccess,
  model: AccessModel,
  person: ExamplePerson,
  now: number,
): Decision {
  const modelOfPerson = modelOfApps([], directoryWithOnly(model.directory, person), { now });
  const { memberships } = modelOfPerson;
  const { directorySignIn } = app;
  const provider = directorySignIn && {
    ...directorySignIn,
    application: {
      ...directorySignIn.application,
      // the example has its own roles, or those of the person on whom it is based
      assignedIds: new Set(
        person.assignedApplications.includes(directorySignIn.application.clientId)
          ? [memberships.person(0).id]
          : person.basedOn !== undefined &&
              directorySignIn.application.assignedIds.has(person.basedOn.id)
            ? [person.basedOn.id]
            : [],
      ),
    },
  };
  const appOfPerson: AppAccess = { ...app, directorySignIn: provider };
  let visit: Visit | undefined;
  return {
    outcome: outcomeAt(path, appOfPerson, modelOfPerson),
    // computed when read: the chain takes longer than the decision, and is rarely needed
    get visit() {
      return (visit ??= decideVisit(modelOfPerson, appOfPerson, path, 0));
    },
  };
}

/** Whether the one person of a model gets in at a path. */
function outcomeAt(path: string, app: AppAccess, modelOfPerson: AccessModel): Decision['outcome'] {
  if (isPublic(app, path)) return 'in';
  const { directorySignIn } = app;
  if (directorySignIn === undefined) return 'out';
  const { memberships } = modelOfPerson;
  const signIn = simulateSignIn(
    directorySignIn,
    memberships.person(0),
    groupsOf(0, memberships),
    groupsWithUnknownMembers(directorySignIn, memberships),
  );
  if (signIn.outcome === 'in')
    return outcomeOfRequirements(answerRequest(app, path, signIn, memberships));
  return signIn.outcome === 'unknown' ? 'unknown' : 'out';
}

/**
 * Whether the person has what the path needs, provided that the sign-in is as strong as required.
 */
function outcomeOfRequirements({ requirements = [] }: RequestAnswer): Decision['outcome'] {
  if (requirements.some(({ allowed }) => allowed === false)) return 'out';
  const isUndecided = requirements.some(
    ({ allowed, decidedBy }) => allowed === 'unknown' && decidedBy !== 'acrValues',
  );
  return isUndecided ? 'unknown' : 'in';
}
