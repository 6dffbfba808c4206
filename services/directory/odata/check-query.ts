import type { FilterNode, Literal, PropertyPath } from './filter-parser.js';
import {
  advancedQueryRequired,
  invalidOption,
  ODataError,
  unsupportedClause,
} from './odata-error.js';
import {
  type FilterOperator,
  type PropertyRules,
  type QueryRules,
  findPropertyRules,
} from './property-rules.js';
import type { ExpandItem, QueryOptions } from './query-options.js';
import { searchModeOf, type SearchNode } from './search.js';

/** The parts of a request, besides its options, that make a query an advanced one. */
export interface AdvancedRequestParts {
  /** The header `ConsistencyLevel: eventual`. */
  readonly eventual: boolean;
  /** The path ends in `/$count`. */
  readonly countSegment?: boolean;
  /** The path has a cast of a relationship, with which a filter, search or order is advanced. */
  readonly castSegment?: boolean;
}

/** Whether a `ConsistencyLevel` header asks for eventual consistency. */
export function isEventual(header: string | readonly string[] | undefined): boolean {
  return typeof header === 'string' && header.trim().toLowerCase() === 'eventual';
}

/**
 * Checks a collection's query against the rules of its type: operators per property, advanced
 * queries, combinations that are not supported.
 *
 * @returns whether to return `@odata.count`: `$count=true` without the header is ignored, as in the
 *   cloud.
 * @throws ODataError
 */
export function checkQuery(
  options: QueryOptions,
  rules: QueryRules,
  request: AdvancedRequestParts,
): { readonly count: boolean } {
  const advancedClauses: string[] = [];
  if (options.filter) advancedClauses.push(...checkFilter(options.filter, rules));
  checkOrderby(options, rules, advancedClauses);
  if (request.castSegment && (options.filter || options.search || options.orderby))
    advancedClauses.push('A cast together with $filter, $search or $orderby');
  if (options.search) checkSearch(options.search, rules, request);
  if (request.countSegment && !request.eventual)
    throw invalidOption('$count is not currently supported.');
  const [first] = advancedClauses;
  if (first !== undefined && !(request.eventual && (options.count || request.countSegment)))
    throw advancedQueryRequired(first);
  checkExpand(options, rules, advancedClauses.length > 0 || options.search !== undefined);
  return { count: options.count && request.eventual };
}

function checkOrderby(options: QueryOptions, rules: QueryRules, advancedClauses: string[]): void {
  for (const { property } of options.orderby ?? []) {
    const orderbySupport = Object.hasOwn(rules.properties, property)
      ? rules.properties[property]?.orderby
      : undefined;
    if (!orderbySupport)
      throw new ODataError(
        'Request_UnsupportedQuery',
        `Unsupported or invalid sort clause specified for property '${property}' of resource '${rules.resource}'.`,
      );
    if (orderbySupport === 'advanced') advancedClauses.push(`$orderby on property '${property}'`);
  }
  if (options.orderby && options.filter) advancedClauses.push('$orderby together with $filter');
}

function checkSearch(node: SearchNode, rules: QueryRules, request: AdvancedRequestParts): void {
  if (!request.eventual)
    throw new ODataError(
      'Request_UnsupportedQuery',
      "$search is supported only with the header 'ConsistencyLevel: eventual'.",
    );
  const clauses: SearchNode[] = [node];
  for (const each of clauses) {
    if (each.kind !== 'clause') clauses.push(...each.operands);
    else searchModeOf(each.property, rules);
  }
}

/** @throws ODataError for more than one relationship in `$expand`, or a nested one. */
export function requireOneExpansion(expand: readonly ExpandItem[]): void {
  if (expand.some((item) => item.expand !== undefined))
    throw new ODataError(
      'Request_BadRequest',
      "Invalid expand clause: the nested option '$expand' is not supported, only $select is.",
    );
  if (expand.length > 1)
    throw new ODataError(
      'Request_UnsupportedQuery',
      'Only one relationship can be expanded in one request.',
    );
}

function checkExpand(options: QueryOptions, rules: QueryRules, isAdvanced: boolean): void {
  const { expand } = options;
  if (!expand) return;
  for (const { relationship } of expand)
    if (!rules.expand?.includes(relationship))
      throw invalidOption(
        `Could not find a property named '${relationship}' that can be expanded on type '${rules.resource}'.`,
      );
  requireOneExpansion(expand);
  if (expand.some(({ levels }) => levels !== undefined))
    throw invalidOption('$levels is supported only where a single object is read.');
  if (isAdvanced)
    throw new ODataError(
      'Request_UnsupportedQuery',
      '$expand can not be combined with an advanced query.',
    );
}

/**
 * Checks a filter against the operator table of a type.
 *
 * @returns the clauses that only advanced queries may contain, in the words of their errors.
 * @throws ODataError Request_UnsupportedQuery for a property or operator that is not in the table.
 */
export function checkFilter(node: FilterNode, rules: QueryRules): readonly string[] {
  const check = new FilterChecker(rules);
  check.visit(node, undefined);
  return check.advancedClauses;
}

class FilterChecker {
  readonly advancedClauses: string[] = [];

  constructor(private readonly rules: QueryRules) {}

  /** @param anyNode the `any` that the node is within, which says over which collection. */
  visit(node: FilterNode, anyNode: FilterNode | undefined): void {
    switch (node.kind) {
      case 'and':
      case 'or':
        return node.operands.forEach((operand) => this.visit(operand, anyNode));
      case 'not':
        for (const path of pathsOf(node.operand)) this.#checkOperator(path, 'not', anyNode);
        return this.visit(node.operand, anyNode);
      case 'compare':
        this.#checkValue(node.path, node.value, anyNode);
        return this.#checkOperator(
          node.path,
          node.operator === 'eq' && node.value.type === 'null' ? 'eq null' : node.operator,
          anyNode,
        );
      case 'in':
        for (const value of node.values) this.#checkValue(node.path, value, anyNode);
        return this.#checkOperator(node.path, 'in', anyNode);
      case 'function':
        this.#checkValue(node.path, { type: 'string', value: node.value }, anyNode);
        return this.#checkOperator(node.path, node.name, anyNode);
      case 'any':
        if (this.#rulesOf(node.path, undefined).type !== 'collection')
          throw this.#unsupported(node.path);
        return node.predicate && this.visit(node.predicate, node);
      case 'count':
        return this.#checkCount(node.path, node.operator, node.value);
    }
  }

  #checkOperator(
    path: PropertyPath,
    operator: FilterOperator,
    anyNode: FilterNode | undefined,
  ): void {
    const rules = this.#rulesOf(path, anyNode);
    if (rules.operators?.includes(operator)) return;
    if (!rules.advancedOperators?.includes(operator)) throw this.#unsupported(path, anyNode);
    this.advancedClauses.push(
      `The operator '${operator}' on property '${propertyName(path, anyNode)}'`,
    );
  }

  #checkCount(path: PropertyPath, operator: string, value: number): void {
    const name = path.segments.join('/');
    const isSupported =
      this.rules.countFilters?.includes(name) ||
      findPropertyRules(this.rules, path.segments)?.advancedOperators?.includes('$count');
    const isZeroOrOne = (operator === 'eq' || operator === 'ne') && (value === 0 || value === 1);
    if (!isSupported || !isZeroOrOne) throw this.#unsupported(path);
    this.advancedClauses.push(`The segment '/$count' on '${name}'`);
  }

  #checkValue(path: PropertyPath, literal: Literal, anyNode: FilterNode | undefined): void {
    const { type } = this.#rulesOf(path, anyNode);
    if (literal.type === 'null' || isLiteralOf(type, literal)) return;
    throw new ODataError(
      'Request_BadRequest',
      `Invalid filter clause: the value of '${propertyName(path, anyNode)}' must be ${expectedValues[type]}.`,
      path.position,
    );
  }

  #rulesOf(path: PropertyPath, anyNode: FilterNode | undefined): PropertyRules {
    if (path.variable === undefined || anyNode?.kind !== 'any') {
      const rules = findPropertyRules(this.rules, path.segments);
      if (
        !rules ||
        (rules.type === 'collection' &&
          rules.operators === undefined &&
          rules.advancedOperators === undefined)
      )
        throw this.#unsupported(path);
      return rules;
    }
    const collectionRules = this.#rulesOf(anyNode.path, undefined);
    if (path.segments.length === 0) {
      if (collectionRules.innerProperties) throw this.#unsupported(path, anyNode);
      return { ...collectionRules, type: 'string' };
    }
    const innerRules =
      path.segments.length === 1
        ? collectionRules.innerProperties?.[path.segments[0] ?? '']
        : undefined;
    if (!innerRules) throw this.#unsupported(path, anyNode);
    return innerRules;
  }

  #unsupported(path: PropertyPath, anyNode?: FilterNode): ODataError {
    return unsupportedClause(propertyName(path, anyNode), this.rules.resource, path.position);
  }
}

/** The properties within a negation: for a lambda, the collection itself. */
function pathsOf(node: FilterNode): readonly PropertyPath[] {
  if (node.kind === 'and' || node.kind === 'or') return node.operands.flatMap(pathsOf);
  if (node.kind === 'not') return pathsOf(node.operand);
  return node.kind === 'count' ? [] : [(node as Extract<FilterNode, { path: PropertyPath }>).path];
}

function propertyName(path: PropertyPath, anyNode: FilterNode | undefined): string {
  const outer = path.variable !== undefined && anyNode?.kind === 'any' ? anyNode.path.segments : [];
  return [...outer, ...path.segments].join('/');
}

const expectedValues: Readonly<Record<PropertyRules['type'], string>> = {
  string: 'a string',
  guid: 'a GUID',
  boolean: 'true or false',
  number: 'a number',
  date: 'an ISO 8601 date and time',
  object: 'compared by its members',
  collection: "compared with the operator 'any'",
};

function isLiteralOf(type: PropertyRules['type'], literal: Literal): boolean {
  if (type === 'string') return literal.type === 'string';
  if (type === 'guid') return literal.type === 'guid' || literal.type === 'string';
  return literal.type === type;
}
