import {
  type AppRoleAssignment,
  type DirectoryClient,
  type DirectoryObject,
  quote,
} from '../../../clients/directory/index.js';
import { isGuid } from '../../../core/values/guid.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { SeedEntry } from '../../../services/common/seed.js';
import { directoryAppId } from '../../../services/directory/service-principals/well-known-permissions.js';
import { grantsGroupReading } from '../group-read-permissions.js';
import { memberProperties } from './groups.js';
import {
  seedEntryOf,
  type CollectedPrincipals,
  servicePrincipalProperties,
  undefinedIfEmpty,
} from './collected-principals.js';

const select = ['id', 'appId', 'displayName', 'groupMembershipClaims'];

/** Which registrations to read. */
export interface ApplicationsToRead {
  /** Display names or client ids. @default all registrations */
  readonly namesOrClientIds?: ReadonlySet<string> | undefined;
  /** Whether sign-in may need a role although the directory does not require it yet. */
  readonly requiresRoles: boolean;
}

/**
 * Reads registrations with their owners, their service principals and the role assignments of
 * these. An application of another tenant has no registration, only a service principal.
 *
 * @returns the registrations, by id.
 */
export async function readApplications(
  client: DirectoryClient,
  { namesOrClientIds, requiresRoles }: ApplicationsToRead,
  principals: CollectedPrincipals,
): Promise<ReadonlyMap<string, SeedEntry>> {
  const registrations = new Map<string, SeedEntry>();
  const addRegistrations = async (applications: AsyncIterable<DirectoryObject>): Promise<void> => {
    for await (const application of applications) {
      const owners = undefinedIfEmpty(await ownersOf(client, application, principals));
      registrations.set(application.id, {
        ...seedEntryOf(application),
        ...omitUndefined({ owners }),
      });
    }
  };
  const clientIds = new Set<unknown>();
  if (namesOrClientIds === undefined) await addRegistrations(client.applications.list({ select }));
  for (const each of namesOrClientIds ?? []) {
    const filter = isGuid(each) ? `appId eq '${each}'` : `displayName eq ${quote(each)}`;
    await addRegistrations(client.applications.list({ filter, select }));
    if (isGuid(each)) clientIds.add(each.toLowerCase()); // of this tenant or another
  }
  for (const { appId } of registrations.values()) clientIds.add(appId);
  const filters =
    namesOrClientIds === undefined
      ? [undefined]
      : [...clientIds].map((each) => `appId eq '${String(each)}'`);
  for (const filter of filters) await readServicePrincipals(client, filter, principals);
  for (const principal of [...principals.servicePrincipals.values()])
    if (clientIds.has(principal['appId']) || principal['appRoleAssignmentRequired'] === true)
      await readRoleAssignments(client, principal, requiresRoles, principals);
  return registrations;
}

async function ownersOf(
  client: DirectoryClient,
  application: DirectoryObject,
  principals: CollectedPrincipals,
): Promise<readonly string[]> {
  const owners: string[] = [];
  const query = { select: memberProperties };
  for await (const owner of client.applications.owners.list(application.id, query)) {
    principals.addReferenced(owner);
    owners.push(owner.id);
  }
  return owners;
}

async function readServicePrincipals(
  { servicePrincipals }: DirectoryClient,
  filter: string | undefined,
  principals: CollectedPrincipals,
): Promise<void> {
  const query = { select: servicePrincipalProperties, ...omitUndefined({ filter }) };
  for await (const each of servicePrincipals.list(query)) principals.addServicePrincipal(each);
}

/**
 * Reads who has a role of an application, and whether the application may look up the groups of
 * people.
 */
async function readRoleAssignments(
  client: DirectoryClient,
  principal: SeedEntry,
  requiresRoles: boolean,
  { servicePrincipals, assignedGroupIds }: CollectedPrincipals,
): Promise<void> {
  const id = String(principal['id']);
  const appRoleAssignedTo: SeedEntry[] = [];
  const isRoleNeeded = requiresRoles || principal['appRoleAssignmentRequired'] === true;
  for await (const assignment of client.servicePrincipals.appRoleAssignedTo.list(id)) {
    const { principalId, principalType, appRoleId } = assignment;
    appRoleAssignedTo.push({ principalId, appRoleId });
    if (principalType === 'Group' && isRoleNeeded) assignedGroupIds.add(principalId);
  }
  if (appRoleAssignedTo.length > 0) servicePrincipals.set(id, { ...principal, appRoleAssignedTo });
  for await (const grant of client.servicePrincipals.appRoleAssignments.list(id)) {
    if (!grantsGroupReading(grant.appRoleId)) continue;
    const resourceEntry = servicePrincipals.get(grant.resourceId);
    servicePrincipals.set(grant.resourceId, withGrant(grant, resourceEntry));
  }
}

/** The entry of the directory's own API, with a permission that it grants to an application. */
function withGrant(
  { resourceId, principalId, appRoleId }: AppRoleAssignment,
  entry: SeedEntry = { id: resourceId, appId: directoryAppId },
): SeedEntry {
  const { appRoleAssignedTo = [] } = entry as { appRoleAssignedTo?: readonly SeedEntry[] };
  return { ...entry, appRoleAssignedTo: [...appRoleAssignedTo, { principalId, appRoleId }] };
}
