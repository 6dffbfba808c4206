import { accessRules } from './access/index.js';
import { accessCatalogueRule } from '../engine/access-rule.js';
import { liveCatalogueRule } from '../engine/live-rule.js';
import { planCatalogueRule } from '../engine/plan-rule.js';
import type { Rule } from '../engine/rule.js';
import { liveItemRules, liveRules, liveSignInRules, liveUndeclaredRules } from './live/index.js';
import { planRules } from './plan/index.js';
import * as declarationRules from './declaration/index.js';
import * as stackRules from './stack/index.js';
import * as policyRules from './policy-rules.js';

/** All rules: those about declarations, then those about plans, then those about live resources. */
export const rules = [
  ...[
    ...Object.values(declarationRules),
    ...Object.values(stackRules),
    ...Object.values(policyRules),
  ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  ...accessRules.map(accessCatalogueRule),
  ...planRules.map(planCatalogueRule),
  ...[...liveRules, ...liveItemRules, ...liveSignInRules, ...liveUndeclaredRules].map(
    liveCatalogueRule,
  ),
] as unknown as readonly Rule[];
