import type { Value } from '../values/value.js';
import { isList, isMap } from '../values/value.js';

/**
 * Whether a value is what the classic kit takes for "not set": null, "", 0, false, an empty list or map. Official providers of that kit show
 * no difference between such a value and an absent one, so neither do we.
 */
export function isEmpty(value: Value | undefined): boolean {
  if (value === null || value === undefined || value === '' || value === 0 || value === false) return true;
  if (isList(value)) return value.length === 0;
  return isMap(value) && Object.keys(value).length === 0;
}
