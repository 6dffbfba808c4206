import type { DirectoryModule } from '../directory-module.js';
import { findGroup, requireRoleOrOwnership, groupWriteAccess } from '../groups/group-access.js';
import { isUnified } from '../groups/group-kinds.js';
import { badRequest, noContent, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import { formatInstant } from '../kernel/presentation.js';
import { applyExpiry, deleteExpiredGroups, lifecyclePolicy } from './expiry.js';
import { addLifecyclePolicyRoutes } from './lifecycle-policies.js';
import { addOwnerlessGroupPolicyRoutes } from './ownerless-group-policy.js';

/** Expiry and renewal of unified groups. */
export const lifecycleModule: DirectoryModule = {
  routes(router, directory) {
    addLifecyclePolicyRoutes(router);
    addOwnerlessGroupPolicyRoutes(router);
    router.on('POST', '/groups/{id}/renew', groupWriteAccess, renew);
    directory.objects.listen({
      async afterSave(group, before) {
        if (group.type === 'group' && before === undefined && isUnified(group.body))
          await applyExpiry(directory, group, await lifecyclePolicy(directory));
      },
    });
  },
  tick: deleteExpiredGroups,
};

/** Sets the renewal date to now and recalculates the expiry. */
async function renew(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  await directory.sql.transaction(async () => {
    const group = await findGroup(request);
    await requireRoleOrOwnership(request, group);
    if (!isUnified(group.body)) throw badRequest('Only unified groups expire and are renewed.');
    const renewed = await directory.objects.save(group, {
      ...group.body,
      renewedDateTime: formatInstant(directory.clock.now()),
    });
    await applyExpiry(directory, renewed, await lifecyclePolicy(directory));
  });
  return directory.dialect === 'neutral'
    ? ok(request.withContext('Edm.Boolean', { value: true }))
    : noContent;
}
