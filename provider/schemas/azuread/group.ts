import { block, optionalComputed } from '../build.js';
import { uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';
import { groupAttributes, groupBlocks, membershipRule } from './group-without-members.js';

/** The resource azuread_group: {@link groupWithoutMembers} and who belongs to it. */
export const group: ResourceSchema = {
  version: 1,
  attributes: {
    ...groupAttributes,
    members: optionalComputed(['set', 'string'], { conflictsWith: ['dynamic_membership'], checks: [uuid] }),
  },
  blocks: { ...groupBlocks, dynamic_membership: block('list', membershipRule, { max: 1, conflictsWith: ['members'] }) },
};
