import {
  createHash,
  createPrivateKey,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  X509Certificate,
} from 'node:crypto';
import { SignJWT } from 'jose';
import type { ConfigReader } from './reader.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/**
 * The certificate with which the app authenticates to the directory instead of a client secret: the
 * secret named by the thumbprint, a PEM text with the certificate and its private key. Issuer and
 * alternative name must match the configuration.
 *
 * @param at dotted path of the registration.
 */
export function clientCertificate(reader: ConfigReader, at: string): string | undefined {
  const [thumbprintAt, issuerAt, nameAt] = ['Thumbprint', 'Issuer', 'SubjectAlternativeName'].map(
    (what) => `${at}.clientSecretCertificate${what}`,
  ) as [string, string, string];
  const thumbprint = reader.text(thumbprintAt);
  const [issuer, name] = [reader.text(issuerAt), reader.text(nameAt)];
  if (thumbprint === undefined) {
    if (issuer !== undefined || name !== undefined)
      reader.problem(
        thumbprintAt,
        'is required beside the other properties of a certificate: it names the secret that holds it',
      );
    return undefined;
  }
  const pem = reader.findSecret(thumbprint, thumbprintAt);
  if (pem === undefined) return undefined;
  const certificate = parse(pem);
  if (certificate === undefined) {
    reader.problem(
      thumbprintAt,
      'its secret must hold a certificate and its private key (RSA, or EC on P-256), both as PEM',
    );
    return undefined;
  }
  const isThumbprint = /^(?:[0-9a-f]{2}:?){20}$/i.test(thumbprint);
  if (isThumbprint && bare(thumbprint) !== bare(certificate.fingerprint))
    reader.problem(thumbprintAt, 'its secret holds another certificate');
  if (issuer !== undefined && !namesIn(certificate.issuer).includes(issuer.toLowerCase()))
    reader.problem(issuerAt, 'the certificate is issued by another authority');
  if (name !== undefined && !alternativeNames(certificate).includes(name.toLowerCase()))
    reader.problem(nameAt, 'the certificate does not have this name');
  return pem;
}

/** The certificate in a PEM text that also has its private key. */
function parse(pem: string): X509Certificate | undefined {
  try {
    const [certificate, key] = [new X509Certificate(pem), createPrivateKey(pem)];
    return certificate.checkPrivateKey(key) && assertionAlgorithm(key) !== undefined
      ? certificate
      : undefined;
  } catch {
    return undefined; // not PEM, or without a key: the caller reports it
  }
}

function bare(thumbprint: string): string {
  return thumbprint.replace(/:/g, '').toLowerCase();
}

/** A distinguished name in both common forms (`CN=x, O=y` and `CN=x,O=y`), and its common name. */
function namesIn(text: string): string[] {
  const parts = text.toLowerCase().split('\n');
  const common = parts.filter((part) => part.startsWith('cn=')).map((part) => part.slice(3));
  return [parts.join(', '), parts.join(','), ...common];
}

function alternativeNames(certificate: X509Certificate): string[] {
  const names = (certificate.subjectAltName ?? '')
    .split(', ')
    .map((each) => each.slice(each.indexOf(':') + 1).toLowerCase());
  return [...names, ...namesIn(certificate.subject)];
}

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
export function privateKey(
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

/** The thumbprints of the certificate in a text; none if it has no certificate. */
function thumbprints(text: string): Record<string, string> {
  if (!text.includes('-----BEGIN CERTIFICATE-----')) return {};
  const der = new X509Certificate(text).raw;
  const thumbprint = (algorithm: string): string =>
    createHash(algorithm).update(der).digest('base64url');
  return { x5t: thumbprint('sha1'), 'x5t#S256': thumbprint('sha256') };
}

/**
 * A signed client assertion, instead of a client secret (RFC 7523).
 *
 * @param text private key, with its certificate or alone.
 */
export async function clientAssertion(
  text: string,
  clientId: string,
  audience: string,
  now: number,
): Promise<string> {
  const found = privateKey(text);
  if (found === undefined) throw new Error('the private key of the client is not usable');
  const { key, keyId } = found;
  return new SignJWT({})
    .setProtectedHeader({
      alg: assertionAlgorithm(key) ?? 'RS256',
      typ: 'JWT',
      ...omitUndefined({ kid: keyId }),
      ...thumbprints(text),
    })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setJti(randomUUID())
    .setNotBefore(now)
    .setExpirationTime(now + 300)
    .sign(key);
}
