import {
  type DirectoryRole,
  roleTemplateIds,
  groupWriterRoles,
} from '../../services/directory/authorization/directory-roles.js';
import { applicationType } from '../../services/directory/applications/application-type.js';
import { userType } from '../../services/directory/users/user-type.js';
import { type Group, groupNameOf } from '../directory/group.js';
import { userPropertiesInRule } from '../directory/directory-scope.js';
import type { AccessModel } from '../model.js';
import type { AppAccess } from '../stack/apps.js';

/** A person who can let others or themselves into an app. */
export interface Controller {
  /**
   * User principal name, or the name of an application; `everyone` for a group that anyone may
   * join.
   */
  readonly who: string;
  /** The person's index in the directory; undefined for an application, and for everyone. */
  readonly personIndex: number | undefined;
  /** Whether it is a user who is not among the people that were read, and whom no list lets in. */
  readonly isUnknownUser: boolean;
  /** The reason: `owner of shoppers`. */
  readonly by: string;
}

/** Roles that may change role-assignable groups. */
const roleManagers: readonly DirectoryRole[] = [
  'privilegedRoleAdministrator',
  'globalAdministrator',
];

/**
 * The properties that users may change in their own accounts without a role (the directory's
 * default user permissions).
 */
const selfEditableProperties: ReadonlySet<string> = new Set(['mobilePhone']);

/** The roles whose holders can let others in. */
export const controllingRoles: readonly DirectoryRole[] = [
  ...new Set([
    ...roleManagers,
    ...groupWriterRoles,
    ...userType.writeRoles,
    ...applicationType.writeRoles,
  ]),
];

/** The name in a reference such as `user:ada`, for a principal that the directory lacks. */
function nameInReference(reference: string): string {
  const [, kind = '', name = reference] =
    /^(user|group|device|contact|servicePrincipal):(.+)$/i.exec(reference) ?? [];
  return kind.toLowerCase() === 'serviceprincipal' ? `the application ${name}` : name;
}

/**
 * Who can let others into an app by the directory: owners of the groups that lead to it, also by a
 * rule that names them, and everyone if a group is open; owners of the registration; members of the
 * directory roles that may change groups, the registration, or the properties that a rule reads; and
 * everyone if a rule reads a property that users may change themselves. Disabled people and
 * applications can't.
 */
export function controllersOf(
  { directorySignIn }: AppAccess,
  { memberships, directory }: AccessModel,
): Controller[] {
  if (directorySignIn === undefined) return [];
  const controllers: Controller[] = [];
  const addController = (reference: string, by: string): void => {
    const personIndex = memberships.personIndexOf(reference.toLowerCase());
    const application = directory.servicePrincipals.find(
      ({ id }) => id === reference.toLowerCase(),
    );
    const isDisabled =
      personIndex === undefined
        ? application?.isEnabled === false
        : memberships.person(personIndex).body.accountEnabled === false;
    if (isDisabled) return;
    const who =
      personIndex === undefined
        ? (application?.displayName ?? nameInReference(reference))
        : (memberships.person(personIndex).body.userPrincipalName ?? reference);
    if (!controllers.some((each) => each.who === who && each.by === by))
      controllers.push({
        who,
        personIndex,
        isUnknownUser:
          personIndex === undefined && /^user:/i.test(reference) && !isListed(reference),
        by,
      });
  };
  const addEveryone = (by: string): void => {
    controllers.push({ who: 'everyone', personIndex: undefined, isUnknownUser: false, by });
  };
  const addRoleHolders = (roles: readonly DirectoryRole[], changeable: string): void => {
    const ids = new Map(roles.map((role) => [roleTemplateIds[role] as string, role]));
    for (const { templateId, displayName, members } of directory.roles)
      if (ids.has(templateId.toLowerCase()))
        for (const member of members)
          addController(member, `${displayName}: may change ${changeable}`);
  };
  const { groups, claimGroups, identities } = directorySignIn.settings.policy;
  const { assignmentRequired, assignedIds } = directorySignIn.application;
  const groupsOf = (ids: Iterable<string>): Group[] =>
    [...ids].flatMap((id) => memberships.group(id) ?? []);
  const groupsOfApp = new Set<Group>([
    ...groupsOf([...groups, ...claimGroups]).flatMap((each) => memberships.groupAndNested(each)),
    // a group passes its role of the application to its direct members only
    ...(assignmentRequired ? groupsOf(assignedIds) : []),
  ]);
  /** Whether a principal that the directory lacks is in a list that lets it in. */
  const isListed = (reference: string): boolean =>
    [...identities, ...[...groupsOfApp].flatMap(({ record }) => record.members)].some(
      (each) => each.toLowerCase() === reference.toLowerCase(),
    );
  for (const group of groupsOfApp) {
    // a rule selects the direct members of the groups that it names; the loop reaches these, too
    if (group.rule?.parsed.kind === 'memberOf')
      for (const source of groupsOf(group.rule.parsed.groupIds)) groupsOfApp.add(source);
    const name = groupNameOf(group);
    if (group.record.rule === undefined) {
      for (const owner of group.record.owners) addController(owner, `owner of ${name}`);
      if (group.record.isPublic && group.record.isUnified) addEveryone(`${name} is open to all`);
    }
    addRoleHolders(group.record.isAssignableToRole ? roleManagers : groupWriterRoles, name);
    if (group.rule?.subject === 'user')
      addRoleHolders(userType.writeRoles, `what the rule of ${name} asks`);
    const selfEditable =
      group.rule === undefined
        ? []
        : userPropertiesInRule(group.rule.parsed).filter((property) =>
            selfEditableProperties.has(property),
          );
    if (selfEditable.length > 0)
      addEveryone(
        `may change ${selfEditable.join(', ')} of the own account, which the rule of ${name} asks`,
      );
  }
  for (const owner of directorySignIn.application.owners)
    addController(owner, `owner of the registration ${directorySignIn.application.name}`);
  addRoleHolders(
    applicationType.writeRoles,
    `the registration ${directorySignIn.application.name}`,
  );
  return controllers;
}
