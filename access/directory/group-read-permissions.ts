import {
  directoryReadPermissions,
  membershipReadPermissions,
  userReadPermissions,
} from '../../services/directory/membership/permissions.js';
import {
  directoryAppId,
  directoryAppRoles,
} from '../../services/directory/service-principals/well-known-permissions.js';
import type { DirectorySnapshot } from './records.js';

/** Ids of the app roles that let an application read the groups of people. */
const groupReadingRoleIds = new Set(
  [...directoryReadPermissions, ...membershipReadPermissions, ...userReadPermissions].map(
    (name) => directoryAppRoles[name],
  ),
);

/** Whether an application permission lets an application look up the groups of people. */
export function grantsGroupReading(appRoleId: string): boolean {
  return groupReadingRoleIds.has(appRoleId.toLowerCase());
}

/** Whether permissions that an application asks for let it look up the groups of people. */
export function requestsGroupReading(
  permissions: readonly { readonly resourceAppId: string; readonly roles?: readonly string[] }[],
): boolean {
  return permissions.some(
    ({ resourceAppId, roles = [] }) =>
      resourceAppId.toLowerCase() === directoryAppId && roles.some(grantsGroupReading),
  );
}

/**
 * Whether a directory lets an application look up the groups of people.
 *
 * @param principalId the application's service principal, if there is one.
 * @returns undefined if the grants were not read.
 */
export function mayReadGroups(
  { source, coverage, servicePrincipals }: DirectorySnapshot,
  principalId: string | undefined,
): boolean | undefined {
  const granted = servicePrincipals.some(
    ({ groupReaders }) => principalId !== undefined && groupReaders.includes(principalId),
  );
  if (granted) return true;
  return source === unknownSource || coverage?.permissions === false ? undefined : false;
}

/** The source of a directory in which everything is unknown. */
export const unknownSource = 'nothing';
