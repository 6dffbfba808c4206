import { DirectoryError } from '../http/answers.js';

/** The error codes of query options (cloud interface, "OData rules on groups"). */
type ODataErrorCode = 'Request_BadRequest' | 'Request_UnsupportedQuery';

/** An invalid or unsupported query option: answered with 400, this code and this message. */
export class ODataError extends DirectoryError {
  constructor(
    code: ODataErrorCode,
    message: string,
    /** The offset in the option's text, from 0, if known. */
    readonly position?: number,
  ) {
    super(400, code, message);
    this.name = 'ODataError';
  }
}

/** An unsupported option or value. */
export function invalidOption(message: string): ODataError {
  return new ODataError('Request_BadRequest', message);
}

/** A syntax error, with its position. */
export function syntaxError(option: string, reason: string, position: number): ODataError {
  return new ODataError(
    'Request_BadRequest',
    `Invalid ${option} clause: ${reason} at position ${position}.`,
    position,
  );
}

/** A clause that the property does not support. */
export function unsupportedClause(
  property: string,
  resource: string,
  position?: number,
): ODataError {
  return new ODataError(
    'Request_UnsupportedQuery',
    `Unsupported or invalid query filter clause specified for property '${property}' of resource '${resource}'.`,
    position,
  );
}

/** An advanced query without the header and option that it needs. */
export function advancedQueryRequired(clause: string): ODataError {
  return new ODataError(
    'Request_UnsupportedQuery',
    `${clause} is supported only in an advanced query: add the header 'ConsistencyLevel: eventual' and the query option '$count=true'.`,
  );
}
