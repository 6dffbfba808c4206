import { parseInstant } from '../../../core/values/instant.js';
import type { Token } from '../../common/filter/lexer.js';
import { parseFilter as parse } from '../../common/filter/parser.js';
import type { FilterTree } from '../../common/filter/tree.js';
import { syntaxError } from './odata-error.js';
import { odataLimits } from './odata-limits.js';

/**
 * Parses a `$filter` into its tree.
 *
 * @throws ODataError Request_BadRequest, with the position.
 */
export function parseFilter(text: string): FilterNode {
  return parse(text, {
    limits: odataLimits,
    createError: (reason, position) => syntaxError('filter', reason, position),
    literal: readLiteral,
    countOperand: ({ type, value }) => (type === 'number' ? value : undefined),
    operatorCase: 'any',
  });
}

export type { ComparisonOperator, PropertyPath, StringFunction } from '../../common/filter/tree.js';

/** A literal of a query. Dates keep their text, which says how precise they are. */
export type Literal =
  | { readonly type: 'string' | 'guid' | 'date'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'null'; readonly value: null };

/** A parsed `$filter`. */
export type FilterNode = FilterTree<Literal>;

/** The value of a literal token, if it is one. */
export function readLiteral(token: Token): Literal | undefined {
  switch (token.kind) {
    case 'string':
    case 'guid':
      return { type: token.kind, value: token.text };
    case 'date':
      return isDateOrInstant(token.text) ? { type: 'date', value: token.text } : undefined;
    case 'number':
      return { type: 'number', value: Number(token.text) };
    case 'word':
      if (/^(true|false)$/i.test(token.text))
        return { type: 'boolean', value: token.text.toLowerCase() === 'true' };
      return token.text === 'null' ? { type: 'null', value: null } : undefined;
    default:
      return undefined;
  }
}

/** A date, or an instant with its offset. */
function isDateOrInstant(text: string): boolean {
  return /^[\d-]+$|(Z|[+-]\d{2}:\d{2})$/i.test(text) && !Number.isNaN(parseInstant(text));
}
