import type { FilterNode, PropertyPath } from './ast.js';
import type { SqlMapping, SqlOperand } from './sql-operand.js';

/**
 * The column by which a filter takes a range out of an index, such as the folded name of `startsWith(displayName,'a')`: a list that is
 * sorted by it reads one page's rows, where any other order has to find and sort everything in the range first.
 *
 * @returns undefined where there is no such range, or where the filter names single values, which are few already.
 */
export function rangeOperand(filter: FilterNode | undefined, mapping: SqlMapping): SqlOperand | undefined {
  if (filter === undefined) return undefined;
  const clauses = filter.kind === 'and' ? filter.operands : [filter];
  const column = (path: PropertyPath): SqlOperand | undefined => {
    const operand = path.variable === undefined ? mapping.operand(path.segments) : undefined;
    return operand?.form === 'folded' ? operand : undefined;
  };
  if (clauses.some((clause) => isExact(clause) && column(clause.path))) return undefined;
  return clauses
    .filter(isRange)
    .map(({ path }) => column(path))
    .find((operand) => operand !== undefined);
}

type Clause<Kind extends FilterNode['kind']> = Extract<FilterNode, { kind: Kind }>;

function isExact(node: FilterNode): node is Clause<'compare' | 'in'> {
  return node.kind === 'in' || (node.kind === 'compare' && node.operator === 'eq');
}

function isRange(node: FilterNode): node is Clause<'compare' | 'function'> {
  if (node.kind === 'function') return node.name === 'startsWith';
  return node.kind === 'compare' && ['gt', 'ge', 'lt', 'le'].includes(node.operator);
}
