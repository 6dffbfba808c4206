import { answerRequest, type RequestAnswer } from '../decide/request-answer.js';
import { groupsOfPerson, groupsWithUnknownMembers, simulateSignIn } from '../decide/sign-in.js';
import type { AccessModel } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import type { Memberships } from '../directory/memberships.js';
import {
  type CloudDifference,
  cloudDifferences,
  withCloudUncertainty,
} from '../decide/cloud-differences.js';
import { describeAccountsAt } from './provider-accounts.js';
import { chainOf, type Visitor } from './chain.js';
import type { ChainLink } from './chain-link.js';

/** The answer to a visitor at a path of an app, and why. */
export interface Visit {
  readonly app: AppAccess;
  readonly path: string;
  /** The person's user principal name; undefined for a visitor without a session. */
  readonly person: string | undefined;
  readonly answer: RequestAnswer;
  readonly chain: readonly ChainLink[];
  /** Possible differences in the cloud, if that is the target. */
  readonly differences: readonly CloudDifference[];
}

/** The sign-in layer that answers: Castellan's in the sandbox, or the cloud's. */
export type AccessTarget = 'sandbox' | 'azure';

/**
 * Decides a request for a path by a person, or by a browser without a session.
 *
 * @param personIndex the person's index in the directory
 */
export function decideVisit(
  model: AccessModel,
  app: AppAccess,
  path: string,
  personIndex: number | undefined,
  target: AccessTarget = 'sandbox',
): Visit {
  const { memberships } = model;
  const visitor = personIndex === undefined ? undefined : visitorOf(app, personIndex, memberships);
  const sandboxAnswer = answerRequest(app, path, visitor?.signIn, memberships);
  const differences = target === 'azure' ? cloudDifferences(app, path, sandboxAnswer) : [];
  const answer = withCloudUncertainty(sandboxAnswer, differences);
  const chain = chainOf(app, path, answer, visitor, memberships);
  const person = visitor && (visitor.person.body.userPrincipalName ?? visitor.person.id);
  return { app, path, person, answer, chain, differences };
}

function visitorOf(app: AppAccess, personIndex: number, memberships: Memberships): Visitor {
  const { directorySignIn, otherProviders } = app;
  const person = memberships.person(personIndex);
  const groups = groupsOfPerson(personIndex, memberships);
  if (directorySignIn !== undefined)
    return {
      person,
      groups,
      signIn: simulateSignIn(
        directorySignIn,
        person,
        groups,
        groupsWithUnknownMembers(directorySignIn, memberships),
      ),
    };
  if (otherProviders.length === 0) return { person, groups, signIn: undefined };
  return {
    person,
    groups,
    signIn: {
      outcome: 'unknown',
      unknownReason: otherProviders.map((other) => describeAccountsAt(app, other)).join(' or '),
      checks: [],
    },
  };
}
