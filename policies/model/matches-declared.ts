import { isObject } from '../../core/values/is-object.js';
import { isGuid } from '../../core/values/guid.js';

/**
 * Whether a value contains everything declared, and possibly more; a text with a reference is known
 * only later and matches anything.
 */
export function matchesDeclared(declared: unknown, there: unknown): boolean {
  if (declared === there || isLater(declared)) return true;
  if (typeof declared === 'string' && typeof there === 'string')
    return isGuid(declared) && declared.toLowerCase() === there.toLowerCase();
  if (Array.isArray(declared))
    return (
      Array.isArray(there) &&
      declared.length === there.length &&
      declared.every((each, index) => matchesDeclared(each, there[index]))
    );
  if (!isObject(declared) || !isObject(there)) return false;
  return Object.entries(declared).every(([key, value]) => matchesDeclared(value, there[key]));
}

/** Whether a value is a text that is known only later. */
function isLater(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${');
}
