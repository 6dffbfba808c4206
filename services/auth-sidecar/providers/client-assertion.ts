import {
  createHash,
  createPrivateKey,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  X509Certificate,
} from 'node:crypto';
import { SignJWT } from 'jose';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/**
 * The algorithm with which a key signs assertions; undefined for keys that providers do not accept.
 */
export function assertionAlgorithm(key: KeyObject): 'RS256' | 'ES256' | undefined {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
    ? 'ES256'
    : undefined;
}

/** A private key for assertions in PEM, or in a JWK with its id; undefined for other texts. */
export function parsePrivateKey(
  text: string,
): { readonly key: KeyObject; readonly keyId?: string } | undefined {
  try {
    const jwk = text.trimStart().startsWith('{') ? (JSON.parse(text) as JsonWebKey) : undefined;
    const key =
      jwk === undefined ? createPrivateKey(text) : createPrivateKey({ key: jwk, format: 'jwk' });
    const { kid } = (jwk ?? {}) as { readonly kid?: unknown };
    if (assertionAlgorithm(key) === undefined) return undefined;
    return typeof kid === 'string' ? { key, keyId: kid } : { key };
  } catch {
    return undefined; // no private key: the caller reports it
  }
}

/** The header parameters `x5t` and `x5t#S256` of the certificate in a text, if it has one. */
function thumbprintHeaders(text: string): Record<string, string> {
  if (!text.includes('-----BEGIN CERTIFICATE-----')) return {};
  const der = new X509Certificate(text).raw;
  const thumbprint = (algorithm: string): string =>
    createHash(algorithm).update(der).digest('base64url');
  return { x5t: thumbprint('sha1'), 'x5t#S256': thumbprint('sha256') };
}

/** How long a provider may accept an assertion. */
const assertionLifetimeSeconds = 300;

/**
 * A signed client assertion, instead of a client secret (RFC 7523).
 *
 * @param text the private key as PEM or JWK, with its certificate or alone.
 * @param now seconds since 1970.
 */
export async function clientAssertion(
  text: string,
  clientId: string,
  audience: string,
  now: number,
): Promise<string> {
  const privateKey = parsePrivateKey(text);
  if (privateKey === undefined) throw new Error('the private key of the client is not usable');
  const { key, keyId } = privateKey;
  return new SignJWT({})
    .setProtectedHeader({
      alg: assertionAlgorithm(key) ?? 'RS256',
      typ: 'JWT',
      ...omitUndefined({ kid: keyId }),
      ...thumbprintHeaders(text),
    })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setJti(randomUUID())
    .setNotBefore(now)
    .setExpirationTime(now + assertionLifetimeSeconds)
    .sign(key);
}
