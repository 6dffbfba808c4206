import type { FilterNode, PropertyPath } from './ast.js';
import { printLiteral } from './literal.js';

/** Writes a tree as a `$filter` that parses into the same tree. */
export function printFilter(node: FilterNode): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.map((operand) => parenthesized(operand)).join(` ${node.kind} `);
    case 'not':
      return `not (${printFilter(node.operand)})`;
    case 'compare':
      return `${printPath(node.path)} ${node.operator} ${printLiteral(node.value)}`;
    case 'in':
      return `${printPath(node.path)} in (${node.values.map(printLiteral).join(',')})`;
    case 'function':
      return `${node.name}(${printPath(node.path)},${printLiteral({ type: 'string', value: node.value })})`;
    case 'any':
      return `${printPath(node.path)}/any(${node.predicate ? `${node.variable ?? 'x'}:${printFilter(node.predicate)}` : ''})`;
    case 'count':
      return `${printPath(node.path)}/$count ${node.operator} ${node.value}`;
  }
}

function parenthesized(node: FilterNode): string {
  return node.kind === 'and' || node.kind === 'or' ? `(${printFilter(node)})` : printFilter(node);
}

/** A path as it is written, its lambda variable included. */
export function printPath(path: PropertyPath): string {
  return [...(path.variable === undefined ? [] : [path.variable]), ...path.segments].join('/');
}
