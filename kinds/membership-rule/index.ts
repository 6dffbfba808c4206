export { ruleProperties } from './rule-properties.js';
export type {
  MembershipRule,
  RuleDuration,
  RuleExpression,
  RuleOperand,
  RuleOperator,
  RuleSubject,
  RuleValue,
} from './ast.js';
export { parseMembershipRule } from './parser.js';
export { compileMatch } from './pattern.js';
export { printMembershipRule, printOperand } from './printer.js';
