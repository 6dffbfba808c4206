import {
  type DirectoryClient,
  type DirectoryObject,
  quote,
} from '../../../clients/directory/index.js';
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
  readonly everyone: boolean;
  /** People or applications to read by id, user principal name or name, unless everyone is read. */
  readonly named: ReadonlySet<string>;
  /** The ids of managers whose direct reports are read. */
  readonly managers: readonly string[];
  /** The properties to read besides `userProperties`, because rules use them. */
  readonly properties: readonly string[];
}

/** Reads people: everyone or those that are named, and the direct reports of managers. */
export async function readPeople(
  client: DirectoryClient,
  { everyone, named, managers, properties }: PeopleToRead,
  principals: CollectedPrincipals,
): Promise<void> {
  const select = [...new Set([...userProperties, ...properties])];
  if (everyone)
    for await (const user of client.users.list({ select, pageSize })) principals.addUser(user);
  else for (const each of named) await readNamed(client, each, select, principals);
  for (const manager of managers) await readDirectReports(client, manager, select, principals);
}

/**
 * Reads the people, or else the application, that an id, user principal name or name stands for.
 */
async function readNamed(
  client: DirectoryClient,
  named: string,
  select: readonly string[],
  principals: CollectedPrincipals,
): Promise<void> {
  if (principals.users.has(named) || principals.servicePrincipals.has(named)) return;
  if (isGuid(named) || named.includes('@')) {
    const user = await client.users.find(named, { select });
    if (user !== undefined) principals.addUser(user);
  } else {
    const name = quote(named);
    const start = quote(`${named}@`);
    const filter = `displayName eq ${name} or mail eq ${name} or startsWith(userPrincipalName,${start})`;
    for await (const user of client.users.list({ filter, select })) principals.addUser(user);
  }
  const isUser = [...principals.users.values()].some(
    ({ id, userPrincipalName }) => id === named || userPrincipalName === named,
  );
  if (isUser || named.includes('@')) return;
  const filter = isGuid(named) ? `id eq '${named}'` : `displayName eq ${quote(named)}`;
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
  const reports = client.collection<DirectoryObject>(`users/${manager}/directReports`);
  for await (const { id } of reports.list({ select: ['id'] })) {
    const known = principals.users.get(id);
    const user = known === undefined ? await client.users.find(id, { select }) : { ...known, id };
    if (user !== undefined) principals.addUser(user, { manager });
  }
}

/** The managers to whose direct reports rules apply. */
export function managersIn(rules: readonly MembershipRule[]): readonly string[] {
  return [
    ...new Set(rules.flatMap((rule) => (rule.kind === 'directReports' ? [rule.managerId] : []))),
  ];
}
