import { isObject } from '../../../core/values/is-object.js';
import { mistakeIn } from '../../../kinds/schema/judge.js';
import { tagKey, tagValue } from '../../../kinds/transaction/transaction.js';
import { TransactionError } from '../store/transaction.js';

/** Holds a transaction's tags against their description. @throws TransactionError that names the tag. */
export function checkTags(tags: unknown): void {
  if (tags === undefined || tags === null) return;
  if (!isObject(tags)) throw new TransactionError('tags must be an object of keys and values');
  for (const [key, value] of Object.entries(tags)) {
    const given = JSON.stringify(key.slice(0, 60));
    const wrongKey = mistakeIn(tagKey, key);
    if (wrongKey) throw new TransactionError(`the key ${given} of tags: ${wrongKey.words}`);
    const wrongValue = mistakeIn(tagValue, value);
    if (wrongValue) throw new TransactionError(`the value of the tag ${given}: ${wrongValue.words}`);
  }
}
