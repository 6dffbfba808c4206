import { sql } from 'kysely';
import type { Fragment } from '../store/sql.js';
import type { SearchNode } from './ast.js';
import { fold } from './compare.js';
import type { ODataObject } from './evaluate-filter.js';
import { ODataError } from './odata-error.js';
import type { QueryRules } from './property-rules.js';
import { indexTokens, searchTokens } from './search-tokens.js';
import type { SqlMapping } from './sql-operand.js';
import { foldSql } from './sql-operand.js';

/** How a property is searched, by the type's rules. */
function searchOf(property: string, rules: QueryRules): 'tokens' | 'prefix' {
  const kind = Object.hasOwn(rules.properties, property) ? rules.properties[property]?.search : undefined;
  if (kind) return kind;
  throw new ODataError(
    'Request_UnsupportedQuery',
    `Unsupported or invalid search clause specified for property '${property}' of resource '${rules.resource}'.`,
  );
}

/** Compiles a search to a function that asks an object in memory. */
export function compileSearchInMemory(node: SearchNode, rules: QueryRules): (object: ODataObject) => boolean {
  if (node.kind !== 'clause') {
    const operands = node.operands.map((operand) => compileSearchInMemory(operand, rules));
    return node.kind === 'and' ? (object) => operands.every((each) => each(object)) : (object) => operands.some((each) => each(object));
  }
  const kind = searchOf(node.property, rules);
  const wanted = fold(node.text);
  const tokens = searchTokens(node.text);
  return (object) => {
    const value = object[node.property];
    if (typeof value !== 'string') return false;
    if (kind === 'prefix') return fold(value).startsWith(wanted);
    const words = indexTokens(value);
    return tokens.length > 0 && tokens.every((token) => words.some((word) => word.startsWith(token)));
  };
}

/**
 * Compiles a search to a SQL condition.
 *
 * @param tokens the column that holds `searchColumn(value)` of a property that is searched by words.
 */
export function compileSearch(node: SearchNode, rules: QueryRules, mapping: SqlMapping, tokens: (property: string) => Fragment): Fragment {
  if (node.kind !== 'clause') {
    const operands = node.operands.map((operand) => compileSearch(operand, rules, mapping, tokens));
    return sql`(${sql.join(operands, node.kind === 'and' ? sql` and ` : sql` or `)})`;
  }
  if (searchOf(node.property, rules) === 'tokens') {
    const words = searchTokens(node.text);
    if (words.length === 0) return sql`(1 = 0)`;
    // words hold letters and digits only: nothing in them is special to LIKE, and both sides are folded
    return sql`(${sql.join(
      words.map((word) => sql`${tokens(node.property)} like ${`% ${word}%`}`),
      sql` and `,
    )})`;
  }
  const operand = mapping.operand([node.property]);
  if (!operand) return sql`(1 = 0)`;
  const wanted = fold(node.text);
  const folded = operand.form === 'folded' ? operand.expression : foldSql(mapping.engine, operand.expression);
  return sql`(substr(${folded}, 1, ${sql.lit([...wanted].length)}) = ${wanted})`;
}
