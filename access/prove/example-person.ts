import { omitUndefined } from '../../core/values/omit-undefined.js';
import {
  attributesOf,
  type ExampleAttributes,
  objectOf,
  type Values,
} from '../../kinds/membership-rule/prove/index.js';
import { visit, type Visit } from '../answer/visit.js';
import { groupsOf, groupsWithUnknownMembers, signIn } from '../decide/sign-in.js';
import type { DirectorySnapshot, PersonRecord } from '../directory/records.js';
import { type AccessModel, modelOf } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import { assignedPrefix, mayHoldAnybody, memberPrefix, pathClasses } from './entry-conditions.js';
import { isPublic } from './public-paths.js';

/** Somebody who may exist. */
export interface ExamplePerson {
  readonly attributes: ExampleAttributes;
  /** Ids of groups without a rule of which he is a member. */
  readonly groups: readonly string[];
  /** Client ids of applications of which he has a role. */
  readonly assigned: readonly string[];
  /** The person of the directory whom he resembles, with other attributes. */
  readonly like?: PersonRecord;
}

/** The person of whom a formula is true. */
export function examplePerson(values: Values, like?: PersonRecord): ExamplePerson {
  const chosen = (prefix: string): string[] =>
    [...values].flatMap(([{ name }, value]) =>
      value === true && name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
    );
  return {
    attributes: attributesOf(values, 'user'),
    groups: chosen(memberPrefix),
    assigned: chosen(assignedPrefix),
    ...omitUndefined({ like }),
  };
}

/** The directory with nobody in it but this person. */
export function directoryOf(
  directory: DirectorySnapshot,
  { attributes, groups, like }: ExamplePerson,
): DirectorySnapshot {
  const { id, body } = objectOf(
    like === undefined ? attributes : { objectId: like.id, ...attributes },
    'user',
  );
  const { manager } = attributes;
  const managerId = typeof manager === 'string' ? manager : like?.managerId;
  const person: PersonRecord = {
    id,
    body: { displayName: 'the example', accountEnabled: true, ...like?.body, ...body },
    ...omitUndefined({ managerId }),
  };
  const isPerson = (member: string): boolean =>
    directory.personIndexes.has(member) ||
    /^(?:user|serviceprincipal|principals)[:.]/i.test(member);
  const names = new Set([id, person.body.userPrincipalName?.toLowerCase()]);
  // of this person everything is known
  const { part: _part, ...whole } = directory;
  return {
    ...whole,
    people: [person],
    personIndexes: new Map(
      [...names].flatMap((name) => (name === undefined ? [] : [[name, 0] as const])),
    ),
    groups: directory.groups.map((group) => {
      if (group.rule !== undefined) return group;
      const members = group.members.filter((member) => names.has(member) || !isPerson(member));
      const isChosen = groups.includes(group.id) && mayHoldAnybody(group);
      return { ...group, members: isChosen ? [...members, id] : members };
    }),
  };
}

/** How an app decides about a person. */
export interface Decision {
  readonly outcome: 'in' | 'out' | 'unknown';
  readonly visit: Visit;
}

/**
 * Decides about a person as the sign-in layer and the directory do.
 *
 * @param now milliseconds since 1970
 * @param path @default the first path that lets the person in, otherwise `/`
 */
export function decide(
  app: AppAccess,
  model: AccessModel,
  person: ExamplePerson,
  now: number,
  path?: string,
): Decision {
  if (path !== undefined) return decideAt(path, app, model, person, now);
  const decisions = pathClasses([app]).map((each) => decideAt(each, app, model, person, now));
  return decisions.find(({ outcome }) => outcome === 'in') ?? (decisions[0] as Decision);
}

function decideAt(
  path: string,
  app: AppAccess,
  model: AccessModel,
  person: ExamplePerson,
  now: number,
): Decision {
  const only = modelOf([], directoryOf(model.directory, person), { now });
  const { memberships } = only;
  const { directory } = app;
  const entrance = directory && {
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
  const known: AppAccess = { ...app, directory: entrance };
  const seen = visit(only, known, path, 0);
  if (isPublic(app, path)) return { outcome: 'in', visit: seen };
  if (entrance === undefined) return { outcome: 'out', visit: seen };
  const { outcome } = signIn(
    entrance,
    memberships.person(0),
    groupsOf(0, memberships),
    groupsWithUnknownMembers(entrance, memberships),
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

/** The person without attributes that make no difference. */
export function withoutRedundantAttributes(
  person: ExamplePerson,
  isIn: (person: ExamplePerson) => boolean,
): ExamplePerson {
  let { attributes } = person;
  const names = Object.keys(attributes);
  const first = names.filter((name) => attributes[name] !== null);
  for (const name of first) {
    const { [name]: _left, ...others } = attributes;
    if (isIn({ ...person, attributes: others })) attributes = others;
  }
  const present = Object.entries(attributes).filter(([, value]) => value !== null);
  const without = { ...person, attributes: Object.fromEntries(present) };
  return present.length > 0 && isIn(without) ? without : { ...person, attributes };
}
