import type { Filter } from './ast.js';

/** The conditions that must all hold for a filter to hold. */
export function conjunctsOf(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return [];
  return filter.kind === 'and' ? filter.operands.flatMap(conjunctsOf) : [filter];
}

/** The columns that a filter asks about. */
export function columnsOf(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap(columnsOf);
    case 'not':
      return columnsOf(filter.operand);
    default:
      return [filter.field.column];
  }
}

/** So many columns at most are put before the keys of an ordering. */
const maxEqual = 2;

/** The columns that must have one certain value: an index that begins with them leads straight to what is looked for. */
export function equalColumns(filter: Filter | undefined): readonly string[] {
  const columns = conjunctsOf(filter)
    .filter((each) => each.kind === 'compare' && each.operator === 'eq' && each.value !== '')
    .flatMap((each) => (each.kind === 'compare' && ['text', 'boolean'].includes(each.field.kind) ? [each.field.column] : []));
  return [...new Set(columns)].sort().slice(0, maxEqual);
}

/** Whether a filter asks for transactions by their names: then there are few, whatever the order. */
export function namesOne(filter: Filter | undefined): boolean {
  return conjunctsOf(filter).some(
    (each) => (each.kind === 'in' || (each.kind === 'compare' && each.operator === 'eq')) && each.field.column === 'f_name',
  );
}
