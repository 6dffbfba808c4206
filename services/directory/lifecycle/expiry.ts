import { sql } from 'kysely';
import type { Directory } from '../kernel/directory.js';
import { isUnified } from '../groups/group-kinds.js';
import type { StoredRecord } from '../store/records.js';
import { type Body, readObjects, type StoredObject } from '../store/objects.js';
import { formatInstant } from '../kernel/presentation.js';

/** The collection of the tenant's lifecycle policy; there is at most one. */
export const policyCollection = 'group-lifecycle-policy';
/**
 * The collection of the groups that a policy for selected groups covers; its parent is the policy.
 */
export const selectedGroupsCollection = 'group-lifecycle-selected';

const dayMs = 86_400_000;
/** How long a group that a new policy would expire at once remains. */
const graceDays = 30;

/** The tenant's policy. */
export async function lifecyclePolicy(directory: Directory): Promise<StoredRecord | undefined> {
  return (await directory.records.list(policyCollection, ''))[0];
}

/** Whether a policy applies to a group. */
export async function policyApplies(
  directory: Directory,
  policy: StoredRecord,
  group: StoredObject,
): Promise<boolean> {
  if (!isUnified(group.body)) return false;
  if (policy.body['managedGroupTypes'] === 'All') return true;
  if (policy.body['managedGroupTypes'] !== 'Selected') return false;
  return (await directory.records.get(selectedGroupsCollection, policy.id, group.id)) !== undefined;
}

/** When a group expires: its lifetime after its renewal, but never at once. */
export function expiryOf(policy: StoredRecord, renewedDateTime: unknown, now: Date): string {
  const dueMs =
    Date.parse(String(renewedDateTime)) + Number(policy.body['groupLifetimeInDays']) * dayMs;
  return formatInstant(
    new Date(dueMs <= now.getTime() ? now.getTime() + graceDays * dayMs : dueMs),
  );
}

/** Sets a group's expiry by the tenant's policy. Call in a transaction. */
export async function applyExpiry(
  directory: Directory,
  group: StoredObject,
  policy: StoredRecord | undefined,
): Promise<void> {
  const isCovered = policy !== undefined && (await policyApplies(directory, policy, group));
  const expires = isCovered
    ? expiryOf(policy, group.body['renewedDateTime'], directory.clock.now())
    : null;
  if ((group.body['expirationDateTime'] ?? null) === expires) return;
  const body: Body = { ...group.body, expirationDateTime: expires };
  await directory.objects.save(group, body);
}

/** Sets the expiry of all unified groups. Call in a transaction. */
export async function applyExpiryToAllGroups(directory: Directory): Promise<void> {
  const policy = await lifecyclePolicy(directory);
  for await (const group of directory.objects.allOfType('group'))
    if (isUnified(group.body)) await applyExpiry(directory, group, policy);
}

/** Deletes the expired groups, which can be restored. */
export async function deleteExpiredGroups(directory: Directory): Promise<void> {
  const now = formatInstant(directory.clock.now());
  const readExpiredGroups = (): Promise<StoredObject[]> =>
    readObjects(
      directory.sql,
      sql`directory_object o where o.expires_at <= ${now} and o.type = 'group' limit 1000`,
    );
  if ((await readExpiredGroups()).length === 0) return;
  await directory.sql.transaction(async () => {
    for (const group of await readExpiredGroups()) await directory.deletion.delete(group);
  });
}
