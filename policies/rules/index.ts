import { accessRules } from '../access-rules/index.js';
import { accessCatalogueRule } from '../engine/access-rule.js';
import { liveCatalogueRule } from '../engine/live-rule.js';
import { planCatalogueRule } from '../engine/plan-rule.js';
import type { Rule } from '../engine/rule.js';
import { liveItemRules, liveRules } from '../live-rules/index.js';
import { planRules } from '../plan-rules/index.js';
import * as declared from './declared.js';

/** All rules: those about declarations, then those about plans, then those about live resources. */
export const rules = [
  ...Object.values(declared).sort((one, other) => (one.id < other.id ? -1 : 1)),
  ...accessRules.map(accessCatalogueRule),
  ...planRules.map(planCatalogueRule),
  ...[...liveRules, ...liveItemRules].map(liveCatalogueRule),
] as unknown as readonly Rule[];
