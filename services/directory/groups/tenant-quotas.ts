import type { Fragment } from '../store/sql.js';
import { sql } from 'kysely';
import { group } from '../../../kinds/group/group.js';
import { parseMembershipRule } from '../../../kinds/membership-rule/index.js';
import { DirectoryError } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import type { Body } from '../store/objects.js';
import { pausedKey, dynamicKey } from './group-type.js';
import { isDynamic } from './group-kinds.js';
import { invalidValue } from './group-rules.js';
import { jsonValue } from '../odata/index.js';

const { perTenant } = group.limits;

/**
 * Checks the tenant's quotas for some kinds of groups, and that memberOf rules do not depend on
 * each other.
 *
 * @param next the group after the change.
 * @param before the group before the change: existing violations are accepted.
 * @throws DirectoryError 403 for a quota, 400 for a rule over a group that has such a rule.
 */
export async function checkTenantQuotas(
  directory: Directory,
  next: Body,
  before?: Body,
): Promise<void> {
  if (next['isAssignableToRole'] === true && before?.['isAssignableToRole'] !== true)
    await requireRoom(
      directory,
      'role-assignable groups',
      perTenant.roleAssignable,
      jsonValue(directory.sql.engine, sql`body`, ['isAssignableToRole'], 'boolean'),
    );
  if (!isDynamic(next)) return;
  if (!before || !isDynamic(before))
    await requireRoom(directory, 'dynamic groups', perTenant.dynamic, dynamic);
  const sources = sourcesOf(next);
  if (sources === undefined) return;
  for (const id of sources) {
    const source = await directory.objects.getOfType('group', id);
    if (source && sourcesOf(source.body) !== undefined)
      throw invalidValue(
        'membershipRule',
        `the group ${id} has a memberOf rule itself and cannot be the source of another`,
      );
  }
  if (!before || sourcesOf(before) === undefined)
    await requireRoom(directory, 'groups with a memberOf rule', perTenant.memberOfRules, memberOf);
}

/** The groups in a memberOf rule; undefined for any other rule. */
function sourcesOf(group: Body): readonly string[] | undefined {
  const text = group['membershipRule'];
  if (typeof text !== 'string' || !/memberof/i.test(text)) return undefined;
  const { rule } = parseMembershipRule(text);
  return rule?.kind === 'memberOf' ? rule.groupIds : undefined;
}

async function requireRoom(
  { sql: database }: Directory,
  what: string,
  most: number,
  which: Fragment,
): Promise<void> {
  const matches = sql`select 1 from directory_object where type = 'group' and ${which} limit ${sql.lit(most)}`;
  if ((await database.count(sql`select count(*) as count from (${matches}) as found`)) >= most)
    throw new DirectoryError(
      403,
      'Directory_QuotaExceeded',
      `The directory object quota limit of ${most} ${what} has been exceeded.`,
    );
}

const dynamic = sql`alternate_key in (${dynamicKey}, ${pausedKey})`;
const memberOf = sql`${dynamic} and lower(body) like '%memberof%-any%group.objectid%'`;
