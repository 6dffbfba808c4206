import { createHash, createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { SignJWT } from 'jose';
import { assertionAlgorithm } from '../config/client-certificate.js';

/**
 * A signed statement of who the client is, in place of a client secret (RFC 7523).
 *
 * @param pem certificate and private key in one PEM text.
 */
export async function clientAssertion(pem: string, clientId: string, audience: string, now: number): Promise<string> {
  const der = new X509Certificate(pem).raw;
  const key = createPrivateKey(pem);
  const thumbprint = (algorithm: string): string => createHash(algorithm).update(der).digest('base64url');
  return new SignJWT({})
    .setProtectedHeader({ alg: assertionAlgorithm(key) ?? 'RS256', typ: 'JWT', x5t: thumbprint('sha1'), 'x5t#S256': thumbprint('sha256') })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setJti(randomUUID())
    .setNotBefore(now)
    .setExpirationTime(now + 300)
    .sign(key);
}
