import type { MembershipRule, MembershipRuleError } from './ast.js';
import { parseRule } from './parser.js';
import { RuleSyntaxError } from './lexer.js';

export type {
  MembershipRule,
  MembershipRuleError,
  RuleDuration,
  RuleExpression,
  RuleOperand,
  RuleOperator,
  RulePropertyType,
  RuleScalar,
  RuleSpan,
  RuleSubject,
  RuleValue,
} from './ast.js';
export { askedProperties } from './asked-properties.js';
export { compileMatch } from './pattern.js';
export { printExpression, printMembershipRule, printOperand, printValue } from './print.js';

/** A rule, or why the text is none and where. */
export type ParsedMembershipRule =
  { readonly rule: MembershipRule; readonly error?: undefined } | { readonly rule?: undefined; readonly error: MembershipRuleError };

/**
 * Parses the rule of a dynamic group: at most 3,072 characters, one kind of object, operators that fit the property (Directory rules,
 * "Group properties", `membershipRule`). Used by `castellan check` and by the directory service alike.
 *
 * @example
 * const { rule, error } = parseMembershipRule('user.department -eq "Sales"');
 */
export function parseMembershipRule(text: string): ParsedMembershipRule {
  try {
    return { rule: parseRule(text) };
  } catch (error) {
    if (!(error instanceof RuleSyntaxError)) throw error;
    const { message, position, suggestion } = error;
    return { error: { message, position, ...(suggestion === undefined ? {} : { suggestion }) } };
  }
}
