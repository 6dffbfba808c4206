import type { MembershipRule, RuleExpression, RuleOperand } from './ast.js';

/** The properties of an object that a rule asks, by the names that rules have for them. */
export function askedProperties(rule: MembershipRule): readonly string[] {
  return rule.kind === 'expression' ? [...new Set(askedBy(rule.expression))] : [];
}

function askedBy(node: RuleExpression): readonly string[] {
  const name = (operand: RuleOperand): readonly string[] => (operand.of === 'entry' ? [] : [operand.name]);
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.flatMap(askedBy);
    case 'not':
      return askedBy(node.operand);
    case 'compare':
      return name(node.left);
    case 'any':
    case 'all':
      return [...name(node.collection), ...askedBy(node.predicate)];
  }
}
