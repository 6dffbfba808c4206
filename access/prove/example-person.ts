import { omitUndefined } from '../../core/values/omit-undefined.js';
import {
  attributesOf,
  type ExampleAttributes,
  exampleObject,
  type Values,
} from '../../kinds/membership-rule/prove/index.js';
import type { DirectorySnapshot, PersonRecord } from '../directory/records.js';
import type { AccessModel } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import { assignedPrefix } from './access-conditions.js';
import { hasUndeclaredMembers, memberPrefix, groupNameOf } from './membership-conditions.js';
import type { ProofExample } from './proof.js';

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
  { attributes, groups, assigned, like }: ExamplePerson,
): DirectorySnapshot {
  const { id, body } = exampleObject(
    like === undefined ? attributes : { objectId: like.id, ...attributes },
    'user',
    like?.body,
  );
  const { manager } = attributes;
  const managerId = typeof manager === 'string' ? manager : like?.managerId;
  const person: PersonRecord = {
    id,
    body,
    ...omitUndefined({ managerId, unreadGroups: like?.unreadGroups }),
  };
  const isPerson = (member: string): boolean =>
    directory.personIndexes.has(member) ||
    /^(?:user|serviceprincipal|principals)[:.]/i.test(member);
  const names = new Set([id, person.body.userPrincipalName?.toLowerCase()]);
  const withoutOthers = (members: readonly string[]): readonly string[] =>
    members.filter((member) => names.has(member) || !isPerson(member));
  // of this person everything is known
  const { part: _part, ...whole } = directory;
  return {
    ...whole,
    people: [person],
    personIndexes: new Map(
      [...names].flatMap((name) => (name === undefined ? [] : [[name, 0] as const])),
    ),
    servicePrincipals: directory.servicePrincipals.map((application) => {
      const members = withoutOthers(application.assigned);
      const isChosen = assigned.includes(application.appId);
      return { ...application, assigned: isChosen ? [...members, id] : members };
    }),
    groups: directory.groups.map((group) => {
      if (group.rule !== undefined) return group;
      const members = withoutOthers(group.members);
      const isChosen = groups.includes(group.id) && hasUndeclaredMembers(group);
      return { ...group, members: isChosen ? [...members, id] : members };
    }),
  };
}

/** What everybody has: an example without it would speak of people who don't exist. */
const isRequired = (name: string): boolean =>
  name === 'userPrincipalName' || name === 'displayName';

/** With more of them an example says nothing of what is not set. */
const maxUnset = 2;

/**
 * The person without attributes that make no difference.
 *
 * @param values those of the formula that the person fulfils
 */
export function withoutRedundantAttributes(
  person: ExamplePerson,
  isIn: (person: ExamplePerson) => boolean,
  values: Values = new Map(),
): ExamplePerson {
  let { attributes } = person;
  const names = Object.keys(attributes);
  const first = names.filter((name) => attributes[name] !== null && !isRequired(name));
  for (const name of first) {
    const { [name]: _left, ...others } = attributes;
    if (isIn({ ...person, attributes: others })) attributes = others;
  }
  const present = Object.entries(attributes).filter(([, value]) => value !== null);
  const matters = ([name]: readonly [string, unknown]): boolean =>
    constantsOf(name, values).some(
      (constant) => !isIn({ ...person, attributes: { ...attributes, [name]: constant } }),
    );
  const unset = Object.entries(attributes).filter(([, value]) => value === null);
  const deciding = unset.length > maxUnset ? [] : unset.filter(matters);
  const without = { ...person, attributes: Object.fromEntries([...present, ...deciding]) };
  return present.length > 0 && isIn(without) ? without : { ...person, attributes };
}

/**
 * An example as it is shown, with names.
 *
 * @param app that of whose registration he may have a role
 */
export function exampleOf(
  { attributes, groups, assigned, like }: ExamplePerson,
  { memberships }: AccessModel,
  app?: AppAccess,
): ProofExample {
  const names = groups.map((id) => {
    const group = memberships.group(id);
    return group === undefined ? id : groupNameOf(group);
  });
  const application = app?.directory?.application;
  const roles =
    application !== undefined && assigned.includes(application.clientId) ? [application.name] : [];
  return {
    attributes: byName(attributes),
    ...(like !== undefined && { like: like.body.userPrincipalName ?? like.id }),
    ...(names.length !== 0 && { groups: names }),
    ...(roles.length !== 0 && { roles }),
  };
}

/** Attributes with the name of somebody whose id is not known, as the configuration names him. */
function byName({ objectId, ...attributes }: ExampleAttributes): ExampleAttributes {
  if (objectId === undefined) return attributes;
  const [, name] = /^user:(.+)$/.exec(String(objectId)) ?? [];
  return name === undefined
    ? { objectId, ...attributes }
    : { ...attributes, userPrincipalName: name };
}

/** Some of the constants with which rules compare an attribute. */
function constantsOf(name: string, values: Values): readonly string[] {
  const attribute = [...values.keys()].find((each) => each.name === `user.${name}`);
  return attribute?.kind === 'text' ? [...attribute.spellings.values()].slice(0, 3) : [];
}
