/**
 * OData query options of the directory: parsed with positions and limits, checked by operator
 * tables, evaluated in memory or in SQL.
 */
export type { FilterNode, Literal, PropertyPath } from './filter-parser.js';
export { checkFilter } from './check-query.js';
export { withDeclaredNames } from './declared-names.js';
export { checkQuery, isEventual, requireOneExpansion } from './check-query.js';
export type { AdvancedRequestParts } from './check-query.js';
export { compareText, foldCase } from './filter-predicate.js';
export { compileFilter } from './compile-filter.js';
export { filterPredicate } from './filter-predicate.js';
export type { CountRelated, ODataObject } from './filter-predicate.js';
export { parseFilter } from './filter-parser.js';
export { odataLimits } from './odata-limits.js';
export { rangeOperand } from './compile-filter.js';
export { ODataError } from './odata-error.js';
export type { FilterOperator, PropertyRules, PropertyType, QueryRules } from './property-rules.js';
export { parseQueryOptions } from './query-options.js';
export type { ExpandItem, OrderKey, QueryOptions } from './query-options.js';
export { compileSearch } from './search.js';
export { parseSearch } from './search.js';
export type { SearchNode } from './search.js';
export { searchableWords } from './search.js';
export { decodeSkipToken } from './query-options.js';
export type { SkipPosition } from './query-options.js';
export {
  foldSql,
  foldedPropertySql,
  jsonOperand,
  jsonValue,
  registerSqlFunctions,
} from './sql-operand.js';
export type { JsonForm, SqlMapping, SqlOperand } from './sql-operand.js';
