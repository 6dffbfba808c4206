import { transaction } from '../../../kinds/transaction/transaction.js';
import { parseOrder } from '../../common/filter/order.js';
import type { Field, FindField } from '../store/fields.js';
import { QuerySyntaxError } from '../errors.js';

/** A sort key. */
export interface OrderKey {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}

/**
 * Parses `orderBy`: `field [asc|desc]`, several separated by commas.
 *
 * @throws QuerySyntaxError with the position of the first mistake.
 */
export function parseOrderBy(source: string, findField: FindField): readonly OrderKey[] {
  const { maxKeys } = transaction.limits.orderBy;
  const keys = new Map<string, OrderKey>();
  for (const { name, isDescending, position } of parseOrder(
    source,
    (reason, place) => new QuerySyntaxError('orderBy', place, reason),
  )) {
    const field = findField('orderBy', name, position);
    // A repeated field has no effect.
    if (!keys.has(field.column))
      keys.set(field.column, { field, direction: isDescending ? 'desc' : 'asc' });
    if (keys.size > maxKeys)
      throw new QuerySyntaxError('orderBy', position, `at most ${maxKeys} fields are allowed`);
  }
  return [...keys.values()];
}
