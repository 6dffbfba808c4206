import type { ExpandItem, SearchNode } from './ast.js';
import { checkFilter } from './check-filter.js';
import { ODataError, advancedQueryNeeded } from './odata-error.js';
import type { QueryRules } from './property-rules.js';
import type { QueryOptions } from './query-options.js';

/** What makes a query an advanced one besides its options. */
export interface AdvancedQuery {
  /** The header `ConsistencyLevel: eventual`. */
  readonly eventual: boolean;
  /** The path ends in `/$count`, or in a cast on a relationship. */
  readonly countSegment?: boolean;
  readonly castSegment?: boolean;
}

/** Whether a `ConsistencyLevel` header asks for eventual consistency. */
export function isEventual(header: string | readonly string[] | undefined): boolean {
  return typeof header === 'string' && header.trim().toLowerCase() === 'eventual';
}

/**
 * Holds a collection's query against the rules of its type: operators per property, what only advanced queries may ask, what can't be
 * combined.
 *
 * @returns whether `@odata.count` is to be given: `$count=true` without the header is passed over in silence, as the cloud does.
 * @throws ODataError
 */
export function checkQuery(options: QueryOptions, rules: QueryRules, request: AdvancedQuery): { readonly count: boolean } {
  const advanced: string[] = [];
  if (options.filter) advanced.push(...checkFilter(options.filter, rules));
  checkOrderby(options, rules, advanced);
  if (request.castSegment && (options.filter || options.search || options.orderby))
    advanced.push('A cast together with $filter, $search or $orderby');
  if (options.search) checkSearch(options.search, rules, request);
  if (request.countSegment && !request.eventual) throw new ODataError('Request_BadRequest', '$count is not currently supported.');
  const [first] = advanced;
  if (first !== undefined && !(request.eventual && (options.count || request.countSegment))) throw advancedQueryNeeded(first);
  checkExpand(options, rules, advanced.length > 0 || options.search !== undefined);
  return { count: options.count && request.eventual };
}

function checkOrderby(options: QueryOptions, rules: QueryRules, advanced: string[]): void {
  for (const { property } of options.orderby ?? []) {
    const sortable = Object.hasOwn(rules.properties, property) ? rules.properties[property]?.orderby : undefined;
    if (!sortable)
      throw new ODataError(
        'Request_UnsupportedQuery',
        `Unsupported or invalid sort clause specified for property '${property}' of resource '${rules.resource}'.`,
      );
    if (sortable === 'advanced') advanced.push(`$orderby on property '${property}'`);
  }
  if (options.orderby && options.filter) advanced.push('$orderby together with $filter');
}

function checkSearch(node: SearchNode, rules: QueryRules, request: AdvancedQuery): void {
  if (!request.eventual)
    throw new ODataError('Request_UnsupportedQuery', "$search is supported only with the header 'ConsistencyLevel: eventual'.");
  const clauses: SearchNode[] = [node];
  for (const each of clauses) {
    if (each.kind !== 'clause') clauses.push(...each.operands);
    else if (!Object.hasOwn(rules.properties, each.property) || !rules.properties[each.property]?.search)
      throw new ODataError(
        'Request_UnsupportedQuery',
        `Unsupported or invalid search clause specified for property '${each.property}' of resource '${rules.resource}'.`,
      );
  }
}

/** @throws ODataError for more than one relationship in `$expand`. */
export function requireOneExpansion(expand: readonly ExpandItem[]): void {
  if (expand.length > 1) throw new ODataError('Request_UnsupportedQuery', 'Only one relationship can be expanded in one request.');
}

function checkExpand(options: QueryOptions, rules: QueryRules, advanced: boolean): void {
  const { expand } = options;
  if (!expand) return;
  for (const { relationship } of expand)
    if (!Object.hasOwn(rules.relationships, relationship) || !rules.relationships[relationship]?.expand)
      throw new ODataError(
        'Request_BadRequest',
        `Could not find a property named '${relationship}' that can be expanded on type '${rules.resource}'.`,
      );
  requireOneExpansion(expand);
  if (advanced) throw new ODataError('Request_UnsupportedQuery', '$expand can not be combined with an advanced query.');
}
