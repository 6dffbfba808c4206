import { transaction } from '../../../kinds/transaction/transaction.js';
import type { Field, FindField } from '../store/fields.js';
import { QuerySyntaxError } from '../errors.js';

/** A key of an ordering. */
export interface OrderKey {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}

/**
 * Parses `orderBy`: `field [asc|desc]`, several separated by commas.
 *
 * @throws QuerySyntaxError with the position of the first mistake.
 */
export function parseOrderBy(source: string, find: FindField): readonly OrderKey[] {
  const keys: OrderKey[] = [];
  let position = 0;
  for (const part of source.split(',')) {
    const words = [...part.matchAll(/\S+/g)].map((match) => ({ text: match[0], position: position + match.index }));
    const [name, direction, surplus] = words;
    if (name === undefined) throw new QuerySyntaxError('orderBy', position, 'a field is expected');
    const field = find('orderBy', name.text, name.position);
    if (direction !== undefined && direction.text !== 'asc' && direction.text !== 'desc')
      throw new QuerySyntaxError('orderBy', direction.position, `"asc", "desc" or a comma is expected, not "${direction.text}"`);
    if (surplus !== undefined) throw new QuerySyntaxError('orderBy', surplus.position, `a comma is expected, not "${surplus.text}"`);
    // A field that is there already decides nothing any more.
    if (!keys.some((key) => key.field.column === field.column))
      keys.push({ field, direction: direction?.text === 'desc' ? 'desc' : 'asc' });
    if (keys.length > transaction.limits.orderBy.maxKeys)
      throw new QuerySyntaxError('orderBy', name.position, `at most ${transaction.limits.orderBy.maxKeys} fields are allowed`);
    position += part.length + 1;
  }
  return keys;
}
