/** Dynamic membership rules: compiled to closures, and traced for one evaluation. */
export {
  apiPropertyOf,
  compileMembershipRule,
} from '../../../kinds/membership-rule/evaluation/compile-rule.js';
export type {
  CompiledRule,
  EvaluatedObject,
  RuleContext,
} from '../../../kinds/membership-rule/evaluation/compile-rule.js';
export { traceMembershipRule } from './trace.js';
export type { EvaluationDetails } from './trace.js';
