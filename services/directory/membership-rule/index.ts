/** Dynamic membership: rules compiled to closures, and the trace of one evaluation. */
export { compileMembershipRule } from './compile-rule.js';
export type { CompiledRule, RuleContext } from './compile-rule.js';
export { apiPropertyOf } from './compile-rule.js';
export type { EvaluatedObject } from './compile-rule.js';
export { traceMembershipRule } from './trace.js';
export type { EvaluationDetails } from './trace.js';
