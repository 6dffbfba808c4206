import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { AccessToken } from '../credential.js';

/**
 * The token in a token endpoint's answer: `access_token` with `expires_in` (seconds from now) or `expires_on` (seconds of the epoch).
 *
 * @param whose named in errors; never the secret.
 * @throws CAS5004 for a refusal, with the endpoint's words.
 */
export async function tokenFromAnswer(answer: Response, whose: string): Promise<AccessToken> {
  let body: Record<string, unknown>;
  try {
    body = (await answer.json()) as Record<string, unknown>;
  } catch (cause) {
    throw new CastellanError('CAS5004', `${whose}: the answer (${answer.status}) is not JSON`, { cause });
  }
  const token = body['access_token'];
  if (!answer.ok || typeof token !== 'string' || token === '') {
    const said = [body['error'], body['error_description'] ?? body['message']].filter((word) => typeof word === 'string').join(': ');
    throw new CastellanError('CAS5004', `${whose}: ${answer.status} ${said || 'no access_token in the answer'}`);
  }
  const seconds = Number(body['expires_on']);
  if (Number.isFinite(seconds) && seconds > 0) return { token, expiresAt: new Date(seconds * 1000) };
  const lifetime = Number(body['expires_in']);
  return Number.isFinite(lifetime) && lifetime > 0 ? { token, expiresAt: new Date(Date.now() + lifetime * 1000) } : { token };
}
