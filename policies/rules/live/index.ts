import type { LiveItemRule } from '../../engine/live-item-rule.js';
import type { LiveRule } from '../../engine/live-rule.js';
import { liveGroupDrift } from './live-group-drift.js';
import { liveGroupMissing } from './live-group-missing.js';
import { liveGroupUndeclared } from './live-group-undeclared.js';
import { liveGroupOwnerless } from './live-group-ownerless.js';
import { liveGroupOwners } from './live-group-owners.js';
import { liveItemDrift } from './live-item-drift.js';
import { liveItemMissing } from './live-item-missing.js';
import { liveSignInDrift } from './live-sign-in-drift.js';
import { liveOwnerStrongMethod } from './live-owner-strong-method.js';

/** All rules about the live directory. */
export const liveRules: readonly LiveRule[] = [
  liveGroupDrift,
  liveGroupMissing,
  liveGroupOwnerless,
  liveGroupOwners,
  liveOwnerStrongMethod,
];

/** All rules about live workspaces. */
export const liveItemRules: readonly LiveItemRule[] = [liveItemDrift, liveItemMissing];

/** All rules about live apps and registrations. */
export const liveSignInRules = [liveSignInDrift] as const;

/** All rules about live groups that no stack declares. */
export const liveUndeclaredRules = [liveGroupUndeclared] as const;
