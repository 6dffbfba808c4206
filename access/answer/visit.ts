import { answerOf } from '../decide/request.js';
import type { RequestAnswer } from '../decide/request.js';
import { groupsOf, openGroups, signIn } from '../decide/sign-in.js';
import type { AccessModel } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import type { ChainLink } from './chain.js';
import { chainOf } from './chain.js';

/** What a visitor gets at a path of an app, and why. */
export interface Visit {
  readonly app: AppAccess;
  readonly path: string;
  /** The person's user principal name; undefined for a visitor without a session. */
  readonly person: string | undefined;
  readonly answer: RequestAnswer;
  readonly chain: readonly ChainLink[];
}

/** Lets a person, or a browser without a session, ask for a path. @param place the person's place in the directory */
export function visit(model: AccessModel, app: AppAccess, path: string, place: number | undefined): Visit {
  const { memberships } = model;
  if (place === undefined) {
    const answer = answerOf(app, path, undefined);
    return { app, path, person: undefined, answer, chain: chainOf(app, path, answer, undefined, memberships) };
  }
  const person = memberships.person(place);
  const groups = groupsOf(place, memberships);
  const { directory, others } = app;
  const ended =
    directory === undefined
      ? others.length === 0
        ? undefined
        : ({ outcome: 'unknown', unknown: `anyone with an account at ${others.join(' or ')}`, checks: [] } as const)
      : signIn(directory, person, groups, openGroups(directory, memberships));
  const answer = answerOf(app, path, ended);
  const chain = chainOf(app, path, answer, { person, groups, signIn: ended }, memberships);
  return { app, path, person: person.body.userPrincipalName ?? person.id, answer, chain };
}
