import { billingLimits } from '../../../kinds/transaction/limits.js';
import { TransactionError } from '../store/transaction.js';

/**
 * Checks a transaction's tags (billing interface, "Transaction"): keys and values are non-empty texts of at most 256 characters, keys without
 * certain characters.
 *
 * @throws TransactionError that names the tag.
 */
export function checkTags(tags: unknown): void {
  if (tags === undefined || tags === null) return;
  if (typeof tags !== 'object' || Array.isArray(tags)) throw new TransactionError('tags must be an object of keys and values');
  const { maxLength, forbiddenInKey } = billingLimits.tag;
  for (const [key, value] of Object.entries(tags)) {
    if (key === '') throw new TransactionError('tags must not have an empty key');
    const shown = JSON.stringify(key.slice(0, 60));
    if ([...key].length > maxLength) throw new TransactionError(`the key ${shown} of tags is longer than ${maxLength} characters`);
    const forbidden = forbiddenInKey.find((letter) => key.includes(letter));
    if (forbidden !== undefined)
      throw new TransactionError(`the key ${shown} of tags has the character ${forbidden}, which is not allowed`);
    if (typeof value !== 'string' || value === '') throw new TransactionError(`the value of the tag ${shown} must be a non-empty string`);
    if ([...value].length > maxLength) throw new TransactionError(`the value of the tag ${shown} is longer than ${maxLength} characters`);
  }
}
