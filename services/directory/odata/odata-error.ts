import { DirectoryError } from '../http/answers.js';

/** The codes that a refused query option is answered with (cloud interface, "OData rules on groups"). */
type ODataErrorCode = 'Request_BadRequest' | 'Request_UnsupportedQuery';

/** A query option that is malformed or not supported: always answered with 400, this code and this message. */
export class ODataError extends DirectoryError {
  constructor(
    code: ODataErrorCode,
    message: string,
    /** Offset in the option's text, counted from 0, where one can be named. */
    readonly position?: number,
  ) {
    super(400, code, message);
    this.name = 'ODataError';
  }
}

/** An option, or the value of one, that isn't taken. */
export function badOption(message: string): ODataError {
  return new ODataError('Request_BadRequest', message);
}

/** A text that doesn't follow the option's grammar, with the place in it. */
export function syntaxError(option: string, reason: string, position: number): ODataError {
  return new ODataError('Request_BadRequest', `Invalid ${option} clause: ${reason} at position ${position}.`, position);
}

/** A clause that the grammar allows and the property doesn't. */
export function unsupportedClause(property: string, resource: string, position?: number): ODataError {
  return new ODataError(
    'Request_UnsupportedQuery',
    `Unsupported or invalid query filter clause specified for property '${property}' of resource '${resource}'.`,
    position,
  );
}

/** A query that only advanced queries may ask, sent without what makes it one. */
export function advancedQueryNeeded(what: string): ODataError {
  return new ODataError(
    'Request_UnsupportedQuery',
    `${what} is supported only in an advanced query: add the header 'ConsistencyLevel: eventual' and the query option '$count=true'.`,
  );
}

/** What keeps a query option from costing more than it may: the parsers are linear in the length and never recurse deeper than this. */
export const odataLimits = {
  /** Characters of one option. */
  length: 16_384,
  /** Nested parentheses, `not` and lambdas. */
  depth: 32,
  /** Comparisons in one `$filter`, clauses in one `$search`, entries of one `in` list. */
  clauses: 250,
  /** `$top` on collections. */
  top: { minimum: 1, maximum: 999, default: 100 },
  /** Items that `$expand` returns of one relationship. */
  expandedItems: 20,
} as const;
