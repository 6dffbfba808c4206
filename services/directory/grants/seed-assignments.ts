import { createHash } from 'node:crypto';
import type { SeedEntry } from '../../common/seed.js';
import { wholeSeconds } from '../kernel/instant.js';
import type { Directory } from '../kernel/directory.js';
import { seededReference } from '../kernel/seeding.js';
import { putAssignment } from './assignment-store.js';
import { defaultAccess, principalTypes } from './create-assignment.js';

/** Gives the roles that a seeded service principal lists under `appRoleAssignedTo`: each entry names `principalId`, and `appRoleId` where it has one. */
export async function seedAssignments(directory: Directory, entry: SeedEntry): Promise<void> {
  const given = entry['appRoleAssignedTo'];
  if (!Array.isArray(given)) return;
  const resource = await seededReference(directory, 'servicePrincipals', entry['id']);
  for (const { principalId, appRoleId = defaultAccess } of given as SeedEntry[]) {
    const principal = await seededReference(directory, 'servicePrincipals: appRoleAssignedTo', principalId);
    const standing = await directory.items.list('appRoleAssignments', principal.id);
    if (standing.some(({ body }) => body['appRoleId'] === appRoleId && body['resourceId'] === resource.id)) continue;
    const id = createHash('sha256')
      .update(`${resource.id} ${principal.id} ${String(appRoleId)}`)
      .digest('base64url');
    await putAssignment(directory, id, {
      deletedDateTime: null,
      appRoleId,
      createdDateTime: wholeSeconds(directory.clock.now()),
      principalDisplayName: principal.body['displayName'] ?? null,
      principalId: principal.id,
      principalType: principalTypes[principal.type] ?? null,
      resourceDisplayName: resource.body['displayName'] ?? null,
      resourceId: resource.id,
    });
  }
}
