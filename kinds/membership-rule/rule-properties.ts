import type { MembershipRule, RuleExpression, RuleOperand } from './ast.js';

/** The properties that a rule reads, by the names that rules use. */
export function ruleProperties(rule: MembershipRule): readonly string[] {
  return rule.kind === 'expression' ? [...new Set(propertiesOf(rule.expression))] : [];
}

function propertiesOf(node: RuleExpression): readonly string[] {
  const propertyNames = (operand: RuleOperand): readonly string[] =>
    operand.subject === 'entry' ? [] : [operand.name];
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.flatMap(propertiesOf);
    case 'not':
      return propertiesOf(node.operand);
    case 'compare':
      return propertyNames(node.left);
    case 'any':
    case 'all':
      return [...propertyNames(node.collection), ...propertiesOf(node.predicate)];
  }
}
