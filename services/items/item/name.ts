import type { Checks } from '../http/body.js';
import type { ItemType } from './item-type.js';

/** Checks a display name by the naming rules of the item's type. */
export function checkDisplayName(checks: Checks, value: unknown, type: ItemType): string | undefined {
  if (value === undefined || value === null) return checks.fail('displayName is required.');
  if (typeof value !== 'string') return checks.fail('displayName must be a string.');
  if (value.trim() === '') return checks.fail('displayName must not be empty.');
  if (Buffer.byteLength(value) > type.nameMaxLength)
    return checks.fail(`displayName has ${Buffer.byteLength(value)} bytes; at most ${type.nameMaxLength} are allowed.`);
  if (type.namePattern !== undefined && !type.namePattern.test(value)) {
    const allowed = 'alphanumeric characters, underscores, periods and hyphens';
    return checks.fail(`displayName "${value}" has characters that a ${type.name} can't have; allowed are ${allowed}.`);
  }
  if (/[\u0000-\u001f\u007f]/.test(value)) return checks.fail('displayName must not have control characters.');
  return value;
}
