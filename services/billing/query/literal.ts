import { dateKey } from '../store/date-key.js';
import { decimalKey } from '../store/decimal-key.js';
import { textMark } from '../store/encode.js';
import type { Field } from '../store/fields.js';
import type { Token } from './lexer.js';
import { QuerySyntaxError } from './syntax-error.js';

/**
 * A literal in the stored form of the field that it is compared with; '' for null.
 *
 * @throws QuerySyntaxError when it doesn't fit the field.
 */
export function literalOf(token: Token, field: Field): string {
  if (token.kind === 'word' && token.text === 'null') return '';
  const name = field.path[field.path.length - 1] ?? '';
  const wrong = (what: string): QuerySyntaxError =>
    new QuerySyntaxError(
      'filter',
      token.position,
      `"${name}" is compared with ${what}${token.kind === 'end' ? '; the filter ends here' : `, not ${JSON.stringify(token.text)}`}`,
    );
  switch (field.kind) {
    case 'text':
      if (token.kind !== 'string') throw wrong('a text in quotes');
      return textMark + token.text;
    case 'boolean':
      if (token.kind !== 'word' || (token.text !== 'true' && token.text !== 'false')) throw wrong('true or false');
      return token.text === 'true' ? '1' : '0';
    case 'date': {
      const key = token.kind === 'date' || token.kind === 'string' ? dateKey(token.text) : undefined;
      if (key === undefined) throw wrong('a date, such as 2026-01-31 or 2026-01-31T12:00:00Z');
      return key;
    }
    case 'number':
    case 'integer':
      if (token.kind !== 'number') throw wrong('a number');
      try {
        return decimalKey(token.text);
      } catch {
        throw wrong('a number of a sensible size'); // out of range
      }
  }
}
