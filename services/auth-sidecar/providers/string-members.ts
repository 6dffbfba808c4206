import type { JsonObject } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';

/** The string that a body must have. @throws Refusal 400 when it is missing, empty or no string */
export function requiredString(body: JsonObject, name: string): string {
  const value = optionalString(body, name);
  if (value === undefined)
    throw new Refusal(400, `The body needs ${name}.`, { code: 'invalid_request' });
  return value;
}

/**
 * The string that a body may have; undefined if it is missing. @throws Refusal 400 when it is empty or
 * no string
 */
export function optionalString(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value === '')
    throw new Refusal(400, `${name} must be a string.`, { code: 'invalid_request' });
  return value;
}

/** The string in a provider's answer; undefined for an empty one, as some write it for none. */
export function nonEmptyString(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
