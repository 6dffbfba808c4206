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
import { assignedPrefix } from './access-formulas.js';
import { groupNameOf } from '../directory/group.js';
import { hasUndeclaredMembers, memberPrefix } from './membership-formulas.js';
import type { ProofExample } from './proof.js';

/** A person who may exist. */
export interface ExamplePerson {
  /** The attributes that matter, by the names of the rule language. */
  readonly attributes: ExampleAttributes;
  /** Ids of groups without a rule of which the person is a member. */
  readonly groups: readonly string[];
  /** Client ids of applications of which the person has a role. */
  readonly assignedApplications: readonly string[];
  /** The person of the directory who has all other attributes. */
  readonly basedOn?: PersonRecord;
}

/** The person with the values of attributes for which a formula is true. */
export function examplePerson(values: Values, basedOn?: PersonRecord): ExamplePerson {
  const trueNames = (prefix: string): string[] =>
    [...values].flatMap(([{ name }, value]) =>
      value === true && name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
    );
  return {
    attributes: attributesOf(values, 'user'),
    groups: trueNames(memberPrefix),
    assignedApplications: trueNames(assignedPrefix),
    ...omitUndefined({ basedOn }),
  };
}

/** A directory with this person and nobody else in it. */
export function directoryWithOnly(
  directory: DirectorySnapshot,
  { attributes, groups, assignedApplications, basedOn }: ExamplePerson,
): DirectorySnapshot {
  const { id, body } = exampleObject(
    basedOn === undefined ? attributes : { objectId: basedOn.id, ...attributes },
    'user',
    basedOn?.body,
  );
  const { manager } = attributes;
  const managerId = typeof manager === 'string' ? manager : basedOn?.managerId;
  const person: PersonRecord = {
    id,
    body,
    ...omitUndefined({ managerId, unreadGroups: basedOn?.unreadGroups }),
  };
  const isPerson = (member: string): boolean =>
    directory.personIndexes.has(member) ||
    /^(?:user|serviceprincipal|principals)[:.]/i.test(member);
  const ownNames = new Set([id, person.body.userPrincipalName?.toLowerCase()]);
  const withoutOthers = (members: readonly string[]): readonly string[] =>
    members.filter((member) => ownNames.has(member) || !isPerson(member));
  // without its coverage, the directory counts as read completely
  const { coverage: _coverage, ...completeDirectory } = directory;
  return {
    ...completeDirectory,
    people: [person],
    personIndexes: new Map(
      [...ownNames].flatMap((name) => (name === undefined ? [] : [[name, 0] as const])),
    ),
    servicePrincipals: directory.servicePrincipals.map((application) => {
      const members = withoutOthers(application.assignedIds);
      const isChosen = assignedApplications.includes(application.appId);
      return { ...application, assignedIds: isChosen ? [...members, id] : members };
    }),
    groups: directory.groups.map((group) => {
      if (group.rule !== undefined) return group;
      const members = withoutOthers(group.members);
      const isChosen = groups.includes(group.id) && hasUndeclaredMembers(group);
      return { ...group, members: isChosen ? [...members, id] : members };
    }),
  };
}

/** Whether everybody has the attribute, so that an example must not lack it. */
const isRequired = (name: string): boolean =>
  name === 'userPrincipalName' || name === 'displayName';

/** The most attributes that an example says to be unset; with more, it names none of them. */
const maxUnset = 2;

/**
 * The person without attributes that make no difference.
 *
 * @param isExample whether a person is still an example of what is proved
 * @param values the values of attributes with which the formula is true
 */
export function withoutRedundantAttributes(
  person: ExamplePerson,
  isExample: (person: ExamplePerson) => boolean,
  values: Values = new Map(),
): ExamplePerson {
  let { attributes } = person;
  const names = Object.keys(attributes);
  const removable = names.filter((name) => attributes[name] !== null && !isRequired(name));
  for (const name of removable) {
    const { [name]: _removed, ...others } = attributes;
    if (isExample({ ...person, attributes: others })) attributes = others;
  }
  const presentAttributes = Object.entries(attributes).filter(([, value]) => value !== null);
  const isDeciding = ([name]: readonly [string, unknown]): boolean =>
    constantsOf(name, values).some(
      (constant) => !isExample({ ...person, attributes: { ...attributes, [name]: constant } }),
    );
  const unsetAttributes = Object.entries(attributes).filter(([, value]) => value === null);
  const decidingAttributes =
    unsetAttributes.length > maxUnset ? [] : unsetAttributes.filter(isDeciding);
  const simplified = {
    ...person,
    attributes: Object.fromEntries([...presentAttributes, ...decidingAttributes]),
  };
  return presentAttributes.length > 0 && isExample(simplified)
    ? simplified
    : { ...person, attributes };
}

/**
 * The example of a proof: a person with the names of groups and roles in place of ids.
 *
 * @param app the app of whose registration the person may have a role
 */
export function proofExample(
  { attributes, groups, assignedApplications, basedOn }: ExamplePerson,
  { memberships }: AccessModel,
  app?: AppAccess,
): ProofExample {
  const names = groups.map((id) => {
    const group = memberships.group(id);
    return group === undefined ? id : groupNameOf(group);
  });
  const application = app?.directorySignIn?.application;
  const roles =
    application !== undefined && assignedApplications.includes(application.clientId)
      ? [application.name]
      : [];
  return {
    attributes: withDeclaredName(attributes),
    ...(basedOn !== undefined && { like: basedOn.body.userPrincipalName ?? basedOn.id }),
    ...(names.length !== 0 && { groups: names }),
    ...(roles.length !== 0 && { roles }),
  };
}

/** Attributes with the declared user principal name in place of an id that is not known. */
function withDeclaredName({ objectId, ...attributes }: ExampleAttributes): ExampleAttributes {
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
