import type { MembershipRule, RuleExpression, RuleOperand } from './ast.js';

/** The properties that a rule reads, by the names that rules use. */
export function ruleProperties(rule: MembershipRule): readonly string[] {
  return rule.kind === 'expression' ? [...new Set(propertiesOf(rule.expression))] : [];
}

function propertiesOf(node: RuleExpression): readonly string[] {
  const namesOf = (operand: RuleOperand): readonly string[] =>
    operand.subject === 'entry' ? [] : [operand.name];
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.flatMap(propertiesOf);
    case 'not':
      return propertiesOf(node.operand);
    case 'compare':
      return namesOf(node.left);
    case 'any':
    case 'all':
      return [...namesOf(node.collection), ...propertiesOf(node.predicate)];
  }
}
