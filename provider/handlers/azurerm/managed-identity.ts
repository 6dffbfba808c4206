import type { ResourceIdentity } from '../../../clients/resource-manager/index.js';
import type { Value, ValueMap } from '../../values/value.js';
import { oneBlock, text, texts } from '../read-values.js';

/** The managed identity of a resource, as it is sent: without a space between the two kinds, "None" where there is no block. */
export function expandIdentity(planned: ValueMap): ResourceIdentity {
  const block = oneBlock(planned, 'identity');
  const type = text(block, 'type');
  if (type === undefined) return { type: 'None', userAssignedIdentities: null };
  const ids = texts(block, 'identity_ids');
  return {
    type: type.replaceAll(' ', ''),
    userAssignedIdentities: ids.length === 0 ? null : Object.fromEntries(ids.map((id) => [id, {}])),
  };
}

/** The `identity` block of what the service has. */
export function flattenIdentity(identity: ResourceIdentity | undefined | null): Value {
  const kinds = (identity?.type ?? 'None').split(',').map((each) => each.trim().toLowerCase());
  const words = [kinds.includes('systemassigned') ? 'SystemAssigned' : '', kinds.includes('userassigned') ? 'UserAssigned' : ''].filter(
    (each) => each !== '',
  );
  if (words.length === 0) return [];
  return [
    {
      type: words.join(', '),
      identity_ids: Object.keys(identity?.userAssignedIdentities ?? {}),
      principal_id: identity?.principalId ?? '',
      tenant_id: identity?.tenantId ?? '',
    },
  ];
}
