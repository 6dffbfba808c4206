import type { Fragment } from '../store/sql.js';
import { sql } from 'kysely';
import { group } from '../../../kinds/group/group.js';
import { parseMembershipRule } from '../../../kinds/membership-rule/index.js';
import { DirectoryError } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import type { Body, StoredObject } from '../store/objects.js';
import { pausedLookupKey, dynamicLookupKey } from './group-type.js';
import { isDynamic } from './group-kinds.js';
import { invalidValue } from './group-rules.js';
import { jsonValue } from '../odata/index.js';

const { perTenant } = group.limits;

/**
 * Checks the tenant's quotas for some kinds of groups, and that memberOf rules do not depend on
 * each other.
 *
 * @param next the group after the change.
 * @param existing the group before the change: existing violations are accepted.
 * @throws DirectoryError 403 for a quota, 400 for a memberOf rule over a group that has one, or of a
 *   group that one names.
 */
export async function checkTenantQuotas(
  directory: Directory,
  next: Body,
  existing?: StoredObject,
): Promise<void> {
  const before = existing?.body;
  if (next['isAssignableToRole'] === true && before?.['isAssignableToRole'] !== true)
    await requireQuota(
      directory,
      'role-assignable groups',
      perTenant.roleAssignable,
      jsonValue(directory.sql.engine, sql`body`, ['isAssignableToRole'], 'boolean'),
    );
  if (!isDynamic(next)) return;
  if (!before || !isDynamic(before))
    await requireQuota(directory, 'dynamic groups', perTenant.dynamic, dynamicGroupCondition);
  const sources = memberOfSources(next);
  if (sources === undefined) return;
  for (const id of sources) {
    if (id === existing?.id)
      throw invalidValue('membershipRule', 'a group cannot be the source of its own rule');
    const source = await directory.objects.getOfType('group', id);
    if (source && memberOfSources(source.body) !== undefined)
      throw invalidValue(
        'membershipRule',
        `the group ${id} has a memberOf rule itself and cannot be the source of another`,
      );
  }
  if (before && memberOfSources(before) !== undefined) return;
  if (existing) await requireNotSourceOfRule(directory, existing.id);
  await requireQuota(
    directory,
    'groups with a memberOf rule',
    perTenant.memberOfRules,
    memberOfRuleCondition,
  );
}

/** @throws DirectoryError 400 where the memberOf rule of another group names this one. */
async function requireNotSourceOfRule({ sql: database }: Directory, id: string): Promise<void> {
  const rows = await database.query<{ body: string }>(
    sql`select body from directory_object where type = 'group' and ${memberOfRuleCondition}`,
  );
  if (rows.some(({ body }) => memberOfSources(JSON.parse(body) as Body)?.includes(id)))
    throw invalidValue(
      'membershipRule',
      `the group ${id} is the source of a memberOf rule and cannot have one itself`,
    );
}

/** The groups in a memberOf rule; undefined for any other rule. */
function memberOfSources(group: Body): readonly string[] | undefined {
  const text = group['membershipRule'];
  if (typeof text !== 'string' || !/memberof/i.test(text)) return undefined;
  const { rule } = parseMembershipRule(text);
  return rule?.kind === 'memberOf' ? rule.groupIds : undefined;
}

async function requireQuota(
  { sql: database }: Directory,
  limitedObjects: string,
  maximum: number,
  condition: Fragment,
): Promise<void> {
  const matches = sql`select 1 from directory_object where type = 'group' and ${condition} limit ${sql.lit(maximum)}`;
  if ((await database.count(sql`select count(*) as count from (${matches}) as found`)) >= maximum)
    throw new DirectoryError(
      403,
      'Directory_QuotaExceeded',
      `The directory object quota limit of ${maximum} ${limitedObjects} has been exceeded.`,
    );
}

/** SQL conditions on a group of `directory_object`. */
const dynamicGroupCondition = sql`alternate_key in (${dynamicLookupKey}, ${pausedLookupKey})`;
const memberOfRuleCondition = sql`${dynamicGroupCondition} and lower(body) like '%memberof%-any%group.objectid%'`;
