import type { PlanRule } from '../../engine/plan-rule.js';
import { planEndlessDifference } from './plan-endless-difference.js';
import { planLosesData } from './plan-loses-data.js';
import { planRemovedSetting } from './plan-removed-setting.js';
import { planSecretOrder } from './plan-secret-order.js';
import { planTextBoolean } from './plan-text-boolean.js';
import { planUnseenDrift } from './plan-unseen-drift.js';

/** All rules about the actions of a plan. */
export const planRules: readonly PlanRule[] = [
  planEndlessDifference,
  planLosesData,
  planRemovedSetting,
  planSecretOrder,
  planTextBoolean,
  planUnseenDrift,
];

/** Those that also apply to a state, which has no actions. */
export const stateRules: readonly PlanRule[] = [planTextBoolean, planUnseenDrift];
