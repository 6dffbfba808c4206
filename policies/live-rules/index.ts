import type { LiveRule } from '../engine/live-rule.js';
import { liveGroupDrift } from './live-group-drift.js';
import { liveGroupMissing } from './live-group-missing.js';
import { liveGroupOwnerless } from './live-group-ownerless.js';
import { liveGroupOwners } from './live-group-owners.js';
import { liveOwnerStrongMethod } from './live-owner-strong-method.js';

/** Every rule about what lives in the directory. */
export const liveRules: readonly LiveRule[] = [
  liveGroupDrift,
  liveGroupMissing,
  liveGroupOwnerless,
  liveGroupOwners,
  liveOwnerStrongMethod,
];
