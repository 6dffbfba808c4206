import { findGroup } from '../groups/find-group.js';
import { requireRoleOrOwnership, writeGroup } from '../groups/group-access.js';
import { isUnified } from '../groups/kinds.js';
import { badRequest } from '../http/errors.js';
import type { Reply } from '../http/reply.js';
import { noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { DirectoryModule } from '../directory-module.js';
import { applyExpiry, deleteExpired, lifecyclePolicy } from './expiry.js';
import { ownerlessPolicyRoutes } from './ownerless-policy.js';
import { policyRoutes } from './policies.js';
import { wholeSeconds } from '../kernel/instant.js';

/** Expiry and renewal of unified groups. */
export const lifecycle: DirectoryModule = {
  routes(router, directory) {
    policyRoutes(router);
    ownerlessPolicyRoutes(router);
    router.on('POST', '/groups/{id}/renew', writeGroup, renew);
    directory.objects.listen({
      async saved(group, before) {
        if (group.type === 'group' && before === undefined && isUnified(group.body))
          await applyExpiry(directory, group, await lifecyclePolicy(directory));
      },
    });
  },
  tick: deleteExpired,
};

/** Sets the renewal to now and recalculates the expiry. */
async function renew(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  await directory.sql.write(async () => {
    const group = await findGroup(request);
    await requireRoleOrOwnership(request, group);
    if (!isUnified(group.body)) throw badRequest('Only unified groups expire and are renewed.');
    const renewed = await directory.objects.save(group, { ...group.body, renewedDateTime: wholeSeconds(directory.clock.now()) });
    await applyExpiry(directory, renewed, await lifecyclePolicy(directory));
  });
  return directory.dialect === 'neutral' ? ok({ '@odata.context': `${request.base}/$metadata#Edm.Boolean`, value: true }) : noContent;
}
