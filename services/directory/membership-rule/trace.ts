import {
  compileExpression,
  compileMembershipRule,
  compileOperand,
  type EvaluatedObject,
  type RuleContext,
} from '../../../kinds/membership-rule/evaluation/compile-rule.js';
import {
  type MembershipRule,
  printOperand,
  type RuleExpression,
} from '../../../kinds/membership-rule/index.js';

/**
 * The result of one part of a rule, in the shape of the API's `membershipRuleEvaluationDetails`.
 */
export interface EvaluationDetails {
  /** The text of the part. */
  readonly expression: string;
  readonly expressionResult: boolean;
  /** The left side of a comparison; null for a part that combines others. */
  readonly propertyToEvaluate: {
    readonly propertyName: string;
    /** As text or JSON; null if the object has none. */
    readonly propertyValue: string | null;
  } | null;
  /** The parts that it combines; empty for a comparison. */
  readonly expressionEvaluationDetails: readonly EvaluationDetails[];
}

/** The answer of `evaluateDynamicMembership`: the result, and that of every part. */
export function traceMembershipRule(
  rule: MembershipRule,
  object: EvaluatedObject,
  context: RuleContext,
): {
  readonly membershipRule: string;
  readonly membershipRuleEvaluationResult: boolean;
  readonly membershipRuleEvaluationDetails: EvaluationDetails;
} {
  const details = detailsOf(rule, object, context);
  return {
    membershipRule: rule.text,
    membershipRuleEvaluationResult: details.expressionResult,
    membershipRuleEvaluationDetails: details,
  };
}

function detailsOf(
  rule: MembershipRule,
  object: EvaluatedObject,
  context: RuleContext,
): EvaluationDetails {
  if (rule.kind === 'expression')
    return traceExpression(rule.expression, rule.text, object, context.now);
  const propertyToEvaluate =
    rule.kind === 'directReports'
      ? { propertyName: 'user.manager', propertyValue: context.managerId ?? null }
      : {
          propertyName: `${rule.subject}.memberof`,
          propertyValue: [...(context.groupIds ?? [])].join(','),
        };
  return {
    expression: rule.text,
    expressionResult: compileMembershipRule(rule).matches(object, context),
    propertyToEvaluate,
    expressionEvaluationDetails: [],
  };
}

function traceExpression(
  node: RuleExpression,
  text: string,
  object: EvaluatedObject,
  now: number,
): EvaluationDetails {
  const expression = text.slice(node.start, node.end);
  // outside of `-any` and `-all` there is no current entry
  const expressionResult = compileExpression(node)(object, now, undefined);
  const commonDetails = {
    expression,
    expressionResult,
    propertyToEvaluate: null,
    expressionEvaluationDetails: [],
  };
  switch (node.kind) {
    case 'and':
    case 'or':
      return {
        ...commonDetails,
        expressionEvaluationDetails: node.operands.map((operand) =>
          traceExpression(operand, text, object, now),
        ),
      };
    case 'not':
      return {
        ...commonDetails,
        expressionEvaluationDetails: [traceExpression(node.operand, text, object, now)],
      };
    default: {
      const operand = node.kind === 'compare' ? node.left : node.collection;
      return {
        ...commonDetails,
        propertyToEvaluate: {
          propertyName: printOperand(operand),
          propertyValue: valueText(compileOperand(operand)(object, undefined)),
        },
      };
    }
  }
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
