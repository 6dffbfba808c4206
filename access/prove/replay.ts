import { decideVisit, type Visit } from '../answer/visit.js';
import { answerRequest, type RequestAnswer } from '../decide/request-answer.js';
import { groupsOfPerson, groupsWithUnknownMembers, simulateSignIn } from '../decide/sign-in.js';
import { type AccessModel, modelOfApps } from '../model.js';
import type { AppAccess, SignInApplication } from '../stack/apps.js';
import type { Memberships } from '../directory/memberships.js';
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
  const appOfPerson: AppAccess = {
    ...app,
    directorySignIn: directorySignIn && {
      ...directorySignIn,
      application: withRolesOf(person, directorySignIn.application, memberships),
    },
  };
  let visit: Visit | undefined;
  return {
    outcome: outcomeAt(path, appOfPerson, modelOfPerson),
    // computed when read: the chain takes longer than the decision, and is rarely needed
    get visit() {
      return (visit ??= decideVisit(modelOfPerson, appOfPerson, path, 0));
    },
  };
}

/**
 * An application whose roles have, besides groups, only the one person of a model: as the example
 * says, or else as the person on whom it is based.
 */
function withRolesOf(
  { assignedApplications, basedOn }: ExamplePerson,
  application: SignInApplication,
  memberships: Memberships,
): SignInApplication {
  const { clientId, assignedIds } = application;
  const groupIds = [...assignedIds].filter((id) => memberships.group(id) !== undefined);
  const isAssigned =
    assignedApplications.includes(clientId) ||
    (basedOn !== undefined && assignedIds.has(basedOn.id));
  return {
    ...application,
    assignedIds: new Set(isAssigned ? [...groupIds, memberships.person(0).id] : groupIds),
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
    groupsOfPerson(0, memberships),
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
