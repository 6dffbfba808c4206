import { Refusal } from '../http/refusal.js';

/**
 * The refusal of an invalid token, the same for every reason.
 *
 * @param reason for the log
 */
export function invalidTokenRefusal(reason: string): Refusal {
  return new Refusal(401, 'The token is not valid.', { code: 'invalid_token', reason });
}

/**
 * Errors of a token endpoint that say nothing about a person: the provider has a problem, or the
 * app's registration (RFC 6749, 5.2).
 */
const providerFaults = [
  'server_error',
  'temporarily_unavailable',
  'slow_down',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
];

/**
 * Checks that a provider was able to answer.
 *
 * @param action what it was asked for, in the message.
 * @param error the error code in its answer.
 * @throws Refusal 502 if it reports that it is unavailable or busy, or that the app's registration
 *   is wrong
 */
export function requireProviderAnswer(
  status: number,
  action: 'answer' | 'check the token',
  error?: unknown,
): void {
  if (providerFaults.includes(error as string))
    throw new Refusal(502, `The identity provider could not ${action}.`, {
      code: providerErrorCode(error),
    });
  if (status >= 500 || status === 429 || status === 408)
    throw new Refusal(502, `The identity provider could not ${action}.`, {
      code: 'provider_unreachable',
    });
}

/** A provider's error code, if it is one; it may be logged. */
export function providerErrorCode(value: unknown): string {
  return typeof value === 'string' && /^[a-z_]{1,40}$/.test(value) ? value : 'provider_refused';
}
