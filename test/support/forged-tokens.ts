import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { exportJWK } from 'jose';

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const validHeader = { alg: 'RS256', kid: 'key-1', typ: 'JWT' };

/** A signed token with any claims and header, which a library would refuse to make. */
export function rawToken(claims: unknown, key: KeyObject, header: unknown = validHeader): string {
  const signedPart = `${encode(header)}.${encode(claims)}`;
  return `${signedPart}.${sign('sha256', Buffer.from(signedPart), key).toString('base64url')}`;
}

/**
 * Tokens that every verifier must refuse although their claims are valid: unsigned ones, with
 * another key or algorithm, with forged headers, or malformed.
 *
 * @param validClaims returns valid claims.
 * @param key returns the issuer's private key, whose id is key-1.
 * @returns a title and a function that makes the token, for `it.each`.
 */
export function forgedTokens(
  validClaims: () => object,
  key: () => KeyObject,
): [string, () => string | Promise<string>][] {
  const strangersKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const forge = (
    claims: unknown,
    header: unknown = validHeader,
    signingKey: KeyObject = key(),
  ): string => rawToken(claims, signingKey, header);
  return [
    ['no algorithm', () => `${encode({ alg: 'none' })}.${encode(validClaims())}.`],
    [
      'another spelling of no algorithm',
      () => `${encode({ alg: 'nOnE' })}.${encode(validClaims())}.AA`,
    ],
    ['an algorithm in small letters', () => forge(validClaims(), { ...validHeader, alg: 'rs256' })],
    [
      'an algorithm other than the one that signed',
      () => forge(validClaims(), { ...validHeader, alg: 'PS256' }),
    ],
    [
      'an algorithm of another kind of key',
      () => forge(validClaims(), { ...validHeader, alg: 'ES256' }),
    ],
    ['a list of algorithms', () => forge(validClaims(), { ...validHeader, alg: ['RS256'] })],
    [
      'the public key as a secret',
      () => {
        const signedPart = `${encode({ ...validHeader, alg: 'HS256' })}.${encode(validClaims())}`;
        const pem = createPublicKey(key()).export({ type: 'spki', format: 'pem' });
        return `${signedPart}.${createHmac('sha256', pem).update(signedPart).digest('base64url')}`;
      },
    ],
    ["a stranger's key", () => forge(validClaims(), validHeader, strangersKeys.privateKey)],
    [
      "a stranger's key in the header",
      async () =>
        forge(
          validClaims(),
          { ...validHeader, jwk: await exportJWK(strangersKeys.publicKey) },
          strangersKeys.privateKey,
        ),
    ],
    [
      "the address of a stranger's keys",
      () =>
        forge(
          validClaims(),
          { ...validHeader, jku: 'https://evil.example/keys' },
          strangersKeys.privateKey,
        ),
    ],
    [
      "the address of a stranger's certificate",
      () =>
        forge(
          validClaims(),
          { ...validHeader, x5u: 'https://evil.example/x' },
          strangersKeys.privateKey,
        ),
    ],
    ['the id of an unknown key', () => forge(validClaims(), { ...validHeader, kid: 'key-2' })],
    [
      'a path for the id of a key',
      () =>
        forge(
          validClaims(),
          { ...validHeader, kid: '../../../../dev/null' },
          strangersKeys.privateKey,
        ),
    ],
    ['a list for the id of a key', () => forge(validClaims(), { ...validHeader, kid: ['key-1'] })],
    [
      'an unknown critical header',
      () => forge(validClaims(), { ...validHeader, crit: ['own'], own: true }),
    ],
    ['an empty list of critical headers', () => forge(validClaims(), { ...validHeader, crit: [] })],
    [
      'a critical header that is missing',
      () => forge(validClaims(), { ...validHeader, crit: ['b64'] }),
    ],
    [
      'claims that are not encoded',
      () => forge(validClaims(), { ...validHeader, crit: ['b64'], b64: false }),
    ],
    ['another token inside', () => forge(forge(validClaims()), { ...validHeader, cty: 'JWT' })],
    ['claims that are a list', () => forge([validClaims()])],
    ['claims that are no JSON', () => forge('{')],
    [
      'five parts',
      () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AA.${encode(validClaims())}.AA`,
    ],
    ['a part too many', () => `${forge(validClaims())}.${encode(validClaims())}`],
    ['padding', () => `${forge(validClaims())}==`],
    [
      'an audience of ours that a second one replaces',
      () => forge(`${JSON.stringify(validClaims()).slice(0, -1)},"aud":"https://other.example"}`),
    ],
    [
      'an issuer of ours that a second one replaces',
      () => forge(`${JSON.stringify(validClaims()).slice(0, -1)},"iss":"https://other.example"}`),
    ],
  ];
}
