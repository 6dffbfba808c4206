import { type RawBuilder, sql } from 'kysely';
import type { DatabaseEngine } from '../../common/database.js';
import type { ComparisonOperator } from '../../common/filter/tree.js';
import { textMark } from '../store/transaction.js';
import type { Filter } from './filter.js';

type Condition = RawBuilder<boolean>;

const signs: Readonly<Record<ComparisonOperator, string>> = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' };
const opposite: Readonly<Record<ComparisonOperator, ComparisonOperator>> = { eq: 'ne', ne: 'eq', lt: 'ge', le: 'gt', gt: 'le', ge: 'lt' };

/**
 * Turns a filter into SQL. `not` is carried down to the comparisons, so that the database still sees conditions on plain columns.
 * An absent field is '' and sorts before everything: `lt` and `le` leave it out, as a comparison with null is false.
 */
export function compileFilter(filter: Filter, engine: DatabaseEngine, wanted: 'true' | 'false' = 'true'): Condition {
  const yes = wanted === 'true';
  switch (filter.kind) {
    case 'not':
      return compileFilter(filter.operand, engine, yes ? 'false' : 'true');
    case 'and':
    case 'or': {
      const parts = filter.operands.map((operand) => compileFilter(operand, engine, wanted));
      const word = (filter.kind === 'and') === yes ? sql` and ` : sql` or `;
      return sql<boolean>`(${sql.join(parts, word)})`;
    }
    case 'compare': {
      const column = sql.ref(filter.field.column);
      if (yes) return compare(column, filter.operator, filter.value);
      const negated = compare(column, opposite[filter.operator], filter.value);
      // "Not greater than 5" is true of a field that isn't there.
      return ['eq', 'ne'].includes(filter.operator) ? negated : sql<boolean>`(${negated} or ${column} = '')`;
    }
    case 'in': {
      const column = sql.ref(filter.field.column);
      const values = sql.join(filter.values.map((value) => sql`${value}`));
      return yes ? sql<boolean>`${column} in (${values})` : sql<boolean>`${column} not in (${values})`;
    }
    case 'function': {
      const test = textTest(sql.ref(filter.field.column), filter, engine);
      return yes ? test : sql<boolean>`not (${test})`;
    }
  }
}

function compare(column: RawBuilder<unknown>, operator: ComparisonOperator, value: string): Condition {
  const plain = sql<boolean>`${column} ${sql.raw(signs[operator])} ${value}`;
  return operator === 'lt' || operator === 'le' ? sql<boolean>`(${plain} and ${column} <> '')` : plain;
}

/** Texts are stored behind a mark: one character to step over. An absent text has nothing in it, not even the empty text. */
function textTest(column: RawBuilder<unknown>, { name, text }: Extract<Filter, { kind: 'function' }>, engine: DatabaseEngine): Condition {
  if (text === '') return sql<boolean>`${column} <> ''`;
  if (name === 'startsWith') return sql<boolean>`substr(${column}, 1, ${[...text].length + 1}) = ${textMark + text}`;
  if (name === 'endsWith') {
    const length = [...text].length;
    const end = engine === 'sqlite' ? sql`substr(substr(${column}, 2), ${-length})` : sql`right(substr(${column}, 2), ${length})`;
    return sql<boolean>`(${end} = ${text} and ${column} <> '')`;
  }
  const find = engine === 'sqlite' ? sql`instr(substr(${column}, 2), ${text})` : sql`strpos(substr(${column}, 2), ${text})`;
  return sql<boolean>`${find} > 0`;
}
