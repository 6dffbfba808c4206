import type { MembershipRule, RuleExpression, RuleOperand, RuleValue } from './ast.js';

/** Writes a rule in the documentation's form; parsing it gives the same rule. */
export function printMembershipRule(rule: MembershipRule): string {
  switch (rule.kind) {
    case 'directReports':
      return `Direct Reports for "${rule.managerId}"`;
    case 'memberOf':
      return `${rule.subject}.memberof -any (group.objectId -in [${rule.groupIds.map((id) => `'${id}'`).join(',')}])`;
    case 'expression':
      return printExpression(rule.expression);
  }
}

/** Writes one condition. */
export function printExpression(node: RuleExpression): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands
        .map((operand) => `(${printExpression(operand)})`)
        .join(` -${node.kind} `);
    case 'not':
      return `-not (${printExpression(node.operand)})`;
    case 'compare':
      return `${printOperand(node.left)} -${node.operator} ${printValue(node.value)}`;
    case 'any':
    case 'all':
      return `${printOperand(node.collection)} -${node.kind} (${printExpression(node.predicate)})`;
  }
}

/** `user.department`, `_`, `assignedPlan.service`. */
export function printOperand(operand: RuleOperand): string {
  if (operand.subject !== 'entry') return `${operand.subject}.${operand.name}`;
  return operand.name === undefined ? '_' : `assignedPlan.${operand.name}`;
}

/** A value in a rule's syntax. */
export function printValue(value: RuleValue): string {
  switch (value.type) {
    case 'string':
      return `"${value.value.replace(/["`]/g, '`$&')}"`;
    case 'number':
    case 'boolean':
      return String(value.value);
    case 'null':
      return 'null';
    case 'list':
      return `[${value.values.map(printValue).join(',')}]`;
    case 'now':
      return value.offset
        ? `system.now -${value.offset.sign} ${value.offset.duration.text}`
        : 'system.now';
  }
}
