import { accessRules } from '../access-rules/index.js';
import { cataloguedAccess } from '../engine/access-rule.js';
import { cataloguedLive } from '../engine/live-rule.js';
import { catalogued } from '../engine/plan-rule.js';
import type { Rule } from '../engine/rule.js';
import { liveItemRules, liveRules } from '../live-rules/index.js';
import { planRules } from '../plan-rules/index.js';
import * as declared from './declared.js';

/** Every rule of the catalogue: those about what is declared, then those about what a plan would do, then those about what lives. */
export const rules = [
  ...Object.values(declared).sort((one, other) => (one.id < other.id ? -1 : 1)),
  ...accessRules.map(cataloguedAccess),
  ...planRules.map(catalogued),
  ...[...liveRules, ...liveItemRules].map(cataloguedLive),
] as unknown as readonly Rule[];
