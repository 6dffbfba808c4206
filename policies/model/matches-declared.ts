import { isObject } from '../../core/values/is-object.js';
import { isGuid } from '../../core/values/guid.js';

/**
 * Whether a value contains everything declared, and possibly more; a text with a reference is known
 * only later and matches anything.
 */
export function matchesDeclared(declared: unknown, actual: unknown): boolean {
  if (declared === actual || isKnownLater(declared)) return true;
  if (typeof declared === 'string' && typeof actual === 'string')
    return isGuid(declared) && declared.toLowerCase() === actual.toLowerCase();
  if (Array.isArray(declared))
    return (
      Array.isArray(actual) &&
      declared.length === actual.length &&
      declared.every((each, index) => matchesDeclared(each, actual[index]))
    );
  if (!isObject(declared) || !isObject(actual)) return false;
  return Object.entries(declared).every(([key, value]) => matchesDeclared(value, actual[key]));
}

/** Whether a value is a text that is known only later. */
function isKnownLater(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${');
}
