import {
  type DirectoryClient,
  type DirectoryObject,
  quote,
} from '../../../clients/directory/index.js';
import { isServiceError } from '../../../clients/common/service-error.js';
import { isGuid } from '../../../core/values/guid.js';
import type { MembershipRule } from '../../../kinds/membership-rule/index.js';
import {
  pageSize,
  userProperties,
  type CollectedPrincipals,
  servicePrincipalProperties,
} from './collected-principals.js';

/** The people to read, and which of their properties. */
export interface PeopleToRead {
  readonly isEveryoneRead: boolean;
  /** People or applications to read by id, user principal name or name, unless everyone is read. */
  readonly idsOrNames: ReadonlySet<string>;
  /** The ids of managers whose direct reports are read. */
  readonly managers: readonly string[];
  /** The properties to read besides `userProperties`, because rules use them. */
  readonly properties: readonly string[];
}

/**
 * Reads people: everyone or those with the given ids or names, and the direct reports of managers.
 */
export async function readUsersAndServicePrincipals(
  client: DirectoryClient,
  { isEveryoneRead, idsOrNames, managers, properties }: PeopleToRead,
  principals: CollectedPrincipals,
): Promise<void> {
  const select = [...new Set([...userProperties, ...properties])];
  if (isEveryoneRead)
    for await (const user of client.users.list({ select, pageSize })) principals.addUser(user);
  else
    for (const idOrName of idsOrNames) await readByIdOrName(client, idOrName, select, principals);
  for (const manager of managers) await readDirectReports(client, manager, select, principals);
}

/**
 * Reads the people, or else the application, that an id, user principal name or name stands for.
 */
async function readByIdOrName(
  client: DirectoryClient,
  idOrName: string,
  select: readonly string[],
  principals: CollectedPrincipals,
): Promise<void> {
  if (principals.users.has(idOrName) || principals.servicePrincipals.has(idOrName)) return;
  if (isGuid(idOrName) || idOrName.includes('@')) {
    const user = await client.users.find(idOrName, { select });
    if (user !== undefined) principals.addUser(user);
  } else {
    const name = quote(idOrName);
    const start = quote(`${idOrName}@`);
    const filter = `displayName eq ${name} or mail eq ${name} or startsWith(userPrincipalName,${start})`;
    for await (const user of client.users.list({ filter, select })) principals.addUser(user);
  }
  const isUser = [...principals.users.values()].some(
    ({ id, userPrincipalName }) => id === idOrName || userPrincipalName === idOrName,
  );
  if (isUser || idOrName.includes('@')) return;
  const filter = isGuid(idOrName) ? `id eq '${idOrName}'` : `displayName eq ${quote(idOrName)}`;
  const query = { filter, select: servicePrincipalProperties };
  for await (const each of client.servicePrincipals.list(query))
    principals.addServicePrincipal(each);
}

async function readDirectReports(
  client: DirectoryClient,
  manager: string,
  select: readonly string[],
  principals: CollectedPrincipals,
): Promise<void> {
  for (const { id } of await directReportsOf(client, manager)) {
    const knownUser = principals.users.get(id);
    const user =
      knownUser === undefined ? await client.users.find(id, { select }) : { ...knownUser, id };
    if (user !== undefined) principals.addUser(user, { manager });
  }
}

/** The direct reports of a person; none of somebody who was deleted, whom rules may still name. */
async function directReportsOf(
  client: DirectoryClient,
  manager: string,
): Promise<readonly DirectoryObject[]> {
  const collection = client.collection<DirectoryObject>(`users/${manager}/directReports`);
  const reports: DirectoryObject[] = [];
  try {
    for await (const report of collection.list({ select: ['id'] })) reports.push(report);
  } catch (error) {
    if (!isServiceError(error, 404)) throw error;
  }
  return reports;
}

/** The managers to whose direct reports rules apply. */
export function managersIn(rules: readonly MembershipRule[]): readonly string[] {
  return [
    ...new Set(rules.flatMap((rule) => (rule.kind === 'directReports' ? [rule.managerId] : []))),
  ];
}
