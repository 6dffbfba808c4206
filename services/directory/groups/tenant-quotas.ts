import { group } from '../../../kinds/group/group.js';
import { parseMembershipRule } from '../../../kinds/membership-rule/index.js';
import { DirectoryError } from '../http/errors.js';
import type { Directory } from '../kernel/directory.js';
import type { Body } from '../store/objects.js';
import { pausedKey, dynamicKey } from './group-type.js';
import { isDynamic } from './kinds.js';
import { invalidValue } from './group-rules.js';

const { perTenant } = group.limits;

/**
 * How many groups of some kinds a tenant may have, and that memberOf rules don't build on each other.
 *
 * @param next the group as it is to be.
 * @param before what it was, for a change: what it was already, it may stay.
 * @throws DirectoryError 403 for a quota, 400 for a rule over a group with such a rule.
 */
export async function checkTenantQuotas(directory: Directory, next: Body, before?: Body): Promise<void> {
  if (next['isAssignableToRole'] === true && before?.['isAssignableToRole'] !== true)
    await requireRoom(directory, 'role-assignable groups', perTenant.roleAssignable, countRoleAssignable);
  if (!isDynamic(next)) return;
  if (!before || !isDynamic(before)) await requireRoom(directory, 'dynamic groups', perTenant.dynamic, countDynamic);
  const sources = sourcesOf(next);
  if (sources === undefined) return;
  for (const id of sources) {
    const source = await directory.objects.getOfType('group', id);
    if (source && sourcesOf(source.body) !== undefined)
      throw invalidValue('membershipRule', `the group ${id} has a memberOf rule itself and cannot be the source of another`);
  }
  if (!before || sourcesOf(before) === undefined)
    await requireRoom(directory, 'groups with a memberOf rule', perTenant.memberOfRules, countMemberOf);
}

/** The groups that a memberOf rule names; undefined for any other rule. */
function sourcesOf(group: Body): readonly string[] | undefined {
  const text = group['membershipRule'];
  if (typeof text !== 'string' || !/memberof/i.test(text)) return undefined;
  const { rule } = parseMembershipRule(text);
  return rule?.kind === 'memberOf' ? rule.groupIds : undefined;
}

async function requireRoom(
  directory: Directory,
  what: string,
  most: number,
  count: (directory: Directory, most: number) => Promise<number>,
): Promise<void> {
  if ((await count(directory, most)) >= most)
    throw new DirectoryError(403, 'Directory_QuotaExceeded', `The directory object quota limit of ${most} ${what} has been exceeded.`);
}

async function countRoleAssignable(directory: Directory, most: number): Promise<number> {
  const flag =
    directory.sql.engine === 'sqlite'
      ? "json_extract(body, '$.isAssignableToRole') = 1"
      : "((body)::jsonb #>> '{isAssignableToRole}'::text[]) = 'true'";
  const statement = `select count(*) as count from (select 1 from directory_object where type = 'group' and ${flag} limit ${most}) as found`;
  return counted(await directory.sql.get(statement));
}

async function countDynamic(directory: Directory): Promise<number> {
  const statement = "select count(*) as count from directory_object where type = 'group' and alternate_key in (?, ?)";
  return counted(await directory.sql.get(statement, [dynamicKey, pausedKey]));
}

async function countMemberOf(directory: Directory): Promise<number> {
  const statement = `select count(*) as count from directory_object where type = 'group' and alternate_key in (?, ?)
    and lower(body) like '%memberof%-any%group.objectid%'`;
  return counted(await directory.sql.get(statement, [dynamicKey, pausedKey]));
}

function counted(row: { count: number | string } | undefined): number {
  return Number(row?.count ?? 0);
}
