import type { Literal } from './ast.js';
import type { Token } from '../../common/filter/lexer.js';

/** The value that a token writes, if it writes one. */
export function readLiteral(token: Token): Literal | undefined {
  switch (token.kind) {
    case 'string':
    case 'guid':
      return { type: token.kind, value: token.text };
    case 'date':
      return isInstant(token.text) ? { type: 'date', value: token.text } : undefined;
    case 'number':
      return { type: 'number', value: Number(token.text) };
    case 'word':
      if (token.text === 'true' || token.text === 'false') return { type: 'boolean', value: token.text === 'true' };
      return token.text === 'null' ? { type: 'null', value: null } : undefined;
    default:
      return undefined;
  }
}

/** A date, or an instant with its offset. */
function isInstant(text: string): boolean {
  return /^[\d-]+$|(Z|[+-]\d{2}:\d{2})$/i.test(text) && !Number.isNaN(Date.parse(text));
}

/** A value as it is written in a query. */
export function printLiteral(literal: Literal): string {
  return literal.type === 'string' ? `'${literal.value.replaceAll("'", "''")}'` : String(literal.value);
}
