import { block, computed, optional, required } from '../build.js';
import { notEmpty, oneOf } from '../checks.js';
import type { Attribute, Block } from '../schema.js';
import { normalizeLocation, sameIgnoringCase, sameLocation } from '../spelling.js';
import { resourceGroupName as groupName } from './names.js';

/** Where a resource is. */
export const location: Attribute = required('string', {
  forceNew: true,
  checks: [notEmpty],
  normalize: normalizeLocation,
  same: sameLocation,
});

/** The resource group that holds a resource. */
export const resourceGroupName: Attribute = required('string', { forceNew: true, checks: [groupName] });

/** The managed identities of a resource. */
export const identity: Block = block(
  'list',
  {
    identity_ids: optional(['set', 'string'], { same: sameIgnoringCase }),
    principal_id: computed('string'),
    tenant_id: computed('string'),
    type: required('string', { checks: [oneOf('SystemAssigned', 'UserAssigned', 'SystemAssigned, UserAssigned')] }),
  },
  { max: 1 },
);
