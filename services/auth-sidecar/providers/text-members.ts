import type { JsonObject } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';

/** A text in a body. @throws Refusal 400 when it is missing or no text */
export function requiredText(body: JsonObject, name: string): string {
  const value = optionalText(body, name);
  if (value === undefined)
    throw new Refusal(400, `The body needs ${name}.`, { code: 'invalid_request' });
  return value;
}

/** A text in a body; undefined if it is missing. @throws Refusal 400 when it is something else */
export function optionalText(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value === '')
    throw new Refusal(400, `${name} must be a text.`, { code: 'invalid_request' });
  return value;
}
