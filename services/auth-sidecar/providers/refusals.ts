import { Refusal } from '../http/refusal.js';

/** The refusal of a token, whatever is wrong with it. */
export function invalidToken(): Refusal {
  return new Refusal(401, 'The token is not valid.', { code: 'invalid_token' });
}

/** A provider's error word, when it is one; it may end up in a log. */
export function errorCode(value: unknown): string {
  return typeof value === 'string' && /^[a-z_]{1,40}$/.test(value) ? value : 'provider_refused';
}
