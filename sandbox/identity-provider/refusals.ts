import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { chainText } from '../../access/answer/report.js';
import type { ChainLink } from '../../access/answer/chain-link.js';
import { groupsOfPerson, simulateSignIn } from '../../access/decide/sign-in.js';
import { decideVisit } from '../../access/answer/visit.js';
import { type DirectoryGet, readPerson } from '../../access/directory/read-person.js';
import { modelOfApps } from '../../access/model.js';
import { appWithAuth } from '../../access/stack/applied-apps.js';
import { emptyDirectory } from '../../access/directory/from-seed.js';
import type { DirectorySnapshot } from '../../access/directory/records.js';

/** A sign-in refused by an app or the directory. */
export interface Refusal {
  /** ISO 8601. */
  readonly at: string;
  /** User principal name. */
  readonly person: string;
  /** Object id. */
  readonly personId: string;
  /** The registration that the person signed in with. */
  readonly clientId: string;
  /** Why: the same chain that `castellan access` prints. */
  readonly chain: readonly ChainLink[];
}

/** An app that people sign in to, with the setting that decides who gets in. */
export interface SignInTarget {
  readonly name: string;
  /** The `properties` of its sign-in settings. */
  readonly auth?: Readonly<Record<string, unknown>>;
}

/** A person who signs in, and the registration. */
export interface SignInAttempt {
  /** Object id. */
  readonly personId: string;
  readonly clientId: string;
  readonly tenantId: string;
  /** The sandbox's time in milliseconds since 1970, which membership rules may read. */
  readonly now: number;
}

/**
 * The refusal of a person who signs in to an app; undefined if the app lets the person in, or has
 * another registration.
 */
export async function refusalOf(
  app: SignInTarget,
  { personId, clientId, tenantId, now }: SignInAttempt,
  readDirectory: DirectoryGet,
): Promise<Refusal | undefined> {
  const accessTo = (directory: DirectorySnapshot) =>
    appWithAuth(
      { stack: '', name: app.name, reach: 'everywhere' },
      app.auth && { properties: app.auth },
      { directory, config: {} },
    );
  const { directorySignIn } = accessTo(emptyDirectory);
  if (directorySignIn?.settings.clientId.toLowerCase() !== clientId.toLowerCase()) return undefined;
  const { groups, claimGroups } = directorySignIn.settings.policy;
  const groupIds = [...groups, ...claimGroups].map((id) => id.toLowerCase());
  const directory = await readPerson(readDirectory, {
    person: personId,
    groups: groupIds,
    clientId,
    tenantId,
  });
  if (directory.people.length === 0) return undefined;
  const model = modelOfApps([accessTo(directory)], directory, { now });
  const [appAccess] = model.apps;
  if (appAccess?.directorySignIn === undefined) return undefined;
  // 0 is the index of this person, the only one that was read
  const { outcome } = simulateSignIn(
    appAccess.directorySignIn,
    model.memberships.person(0),
    groupsOfPerson(0, model.memberships),
    [],
  );
  if (outcome !== 'refused' && outcome !== 'no-token') return undefined;
  const { chain, person = personId } = decideVisit(model, appAccess, '/', 0);
  return { at: new Date().toISOString(), person, personId, clientId, chain };
}

/** The lines about a refusal in the log of its app. */
export function refusalLines({ person, chain }: Refusal): readonly string[] {
  return [
    escapeControlCharacters(`${person} is not let in:`),
    ...chainText(chain).trimEnd().split('\n'),
  ];
}
