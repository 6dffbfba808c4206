import { parseFilter as parse } from '../../common/filter/parser.js';
import { type FilterNode, readLiteral } from './ast.js';
import { odataLimits, syntaxError } from './odata-error.js';

/**
 * Parses a `$filter` into its tree.
 *
 * @throws ODataError Request_BadRequest, with the position.
 */
export function parseFilter(text: string): FilterNode {
  return parse(text, {
    limits: odataLimits,
    fail: (reason, position) => syntaxError('filter', reason, position),
    literal: readLiteral,
    count: ({ type, value }) => (type === 'number' ? value : undefined),
  });
}
