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
const goodHeader = { alg: 'RS256', kid: 'key-1', typ: 'JWT' };

/** A signed token with any claims and header, which a library would refuse to make. */
export function rawToken(claims: unknown, key: KeyObject, header: unknown = goodHeader): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/**
 * Tokens that every verifier must refuse although their claims are valid: unsigned ones, with
 * another key or algorithm, with forged headers, or malformed.
 *
 * @param good returns valid claims.
 * @param key returns the issuer's private key, whose id is key-1.
 * @returns a title and a function that makes the token, for `it.each`.
 */
export function forgedTokens(
  good: () => object,
  key: () => KeyObject,
): [string, () => string | Promise<string>][] {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const forge = (claims: unknown, header: unknown = goodHeader, by: KeyObject = key()): string =>
    rawToken(claims, by, header);
  return [
    ['no algorithm', () => `${encode({ alg: 'none' })}.${encode(good())}.`],
    ['another spelling of no algorithm', () => `${encode({ alg: 'nOnE' })}.${encode(good())}.AA`],
    ['an algorithm in small letters', () => forge(good(), { ...goodHeader, alg: 'rs256' })],
    ['an algorithm that is not what signed', () => forge(good(), { ...goodHeader, alg: 'PS256' })],
    ['an algorithm of another kind of key', () => forge(good(), { ...goodHeader, alg: 'ES256' })],
    ['a list of algorithms', () => forge(good(), { ...goodHeader, alg: ['RS256'] })],
    [
      'the public key as a secret',
      () => {
        const signed = `${encode({ ...goodHeader, alg: 'HS256' })}.${encode(good())}`;
        const pem = createPublicKey(key()).export({ type: 'spki', format: 'pem' });
        return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`;
      },
    ],
    ["a stranger's key", () => forge(good(), goodHeader, stranger.privateKey)],
    [
      "a stranger's key in the header",
      async () =>
        forge(
          good(),
          { ...goodHeader, jwk: await exportJWK(stranger.publicKey) },
          stranger.privateKey,
        ),
    ],
    [
      "the address of a stranger's keys",
      () => forge(good(), { ...goodHeader, jku: 'https://evil.example/keys' }, stranger.privateKey),
    ],
    [
      "the address of a stranger's certificate",
      () => forge(good(), { ...goodHeader, x5u: 'https://evil.example/x' }, stranger.privateKey),
    ],
    ['the id of an unknown key', () => forge(good(), { ...goodHeader, kid: 'key-2' })],
    [
      'a path for the id of a key',
      () => forge(good(), { ...goodHeader, kid: '../../../../dev/null' }, stranger.privateKey),
    ],
    ['a list for the id of a key', () => forge(good(), { ...goodHeader, kid: ['key-1'] })],
    [
      'an unknown critical header',
      () => forge(good(), { ...goodHeader, crit: ['own'], own: true }),
    ],
    ['an empty list of critical headers', () => forge(good(), { ...goodHeader, crit: [] })],
    ['a critical header that is missing', () => forge(good(), { ...goodHeader, crit: ['b64'] })],
    [
      'claims that are not encoded',
      () => forge(good(), { ...goodHeader, crit: ['b64'], b64: false }),
    ],
    ['another token inside', () => forge(forge(good()), { ...goodHeader, cty: 'JWT' })],
    ['claims that are a list', () => forge([good()])],
    ['claims that are no JSON', () => forge('{')],
    ['five parts', () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AA.${encode(good())}.AA`],
    ['a part too many', () => `${forge(good())}.${encode(good())}`],
    ['padding', () => `${forge(good())}==`],
    [
      'an audience of ours that a second one replaces',
      () => forge(`${JSON.stringify(good()).slice(0, -1)},"aud":"https://other.example"}`),
    ],
    [
      'an issuer of ours that a second one replaces',
      () => forge(`${JSON.stringify(good()).slice(0, -1)},"iss":"https://other.example"}`),
    ],
  ];
}
