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
const head = { alg: 'RS256', kid: 'key-1', typ: 'JWT' };

/**
 * A token of any claims and header, written by hand: a library would refuse to make most that a
 * test wants.
 */
export function rawToken(claims: unknown, key: KeyObject, header: unknown = head): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/**
 * Tokens that no verifier may take although their claims are good: signed with nothing, with
 * something else or by someone else, tricks of headers, other forms.
 *
 * @param key what the issuer signs with; its id is key-1.
 */
export function forgedTokens(
  good: () => object,
  key: () => KeyObject,
): [string, () => string | Promise<string>][] {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const made = (claims: unknown, header: unknown = head, by: KeyObject = key()): string =>
    rawToken(claims, by, header);
  return [
    ['no algorithm', () => `${encode({ alg: 'none' })}.${encode(good())}.`],
    ['another spelling of no algorithm', () => `${encode({ alg: 'nOnE' })}.${encode(good())}.AA`],
    ['an algorithm in small letters', () => made(good(), { ...head, alg: 'rs256' })],
    ['an algorithm that is not what signed', () => made(good(), { ...head, alg: 'PS256' })],
    ['an algorithm of another kind of key', () => made(good(), { ...head, alg: 'ES256' })],
    ['a list of algorithms', () => made(good(), { ...head, alg: ['RS256'] })],
    [
      'the public key as a secret',
      () => {
        const signed = `${encode({ ...head, alg: 'HS256' })}.${encode(good())}`;
        const pem = createPublicKey(key()).export({ type: 'spki', format: 'pem' });
        return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`;
      },
    ],
    ["a stranger's key", () => made(good(), head, stranger.privateKey)],
    [
      "a stranger's key in the header",
      async () =>
        made(good(), { ...head, jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey),
    ],
    [
      "the address of a stranger's keys",
      () => made(good(), { ...head, jku: 'https://evil.example/keys' }, stranger.privateKey),
    ],
    [
      "the address of a stranger's certificate",
      () => made(good(), { ...head, x5u: 'https://evil.example/x' }, stranger.privateKey),
    ],
    ['the id of an unknown key', () => made(good(), { ...head, kid: 'key-2' })],
    [
      'a path for the id of a key',
      () => made(good(), { ...head, kid: '../../../../dev/null' }, stranger.privateKey),
    ],
    ['a list for the id of a key', () => made(good(), { ...head, kid: ['key-1'] })],
    ['an unknown critical header', () => made(good(), { ...head, crit: ['own'], own: true })],
    ['an empty list of critical headers', () => made(good(), { ...head, crit: [] })],
    ['a critical header that is missing', () => made(good(), { ...head, crit: ['b64'] })],
    ['claims that are not encoded', () => made(good(), { ...head, crit: ['b64'], b64: false })],
    ['another token inside', () => made(made(good()), { ...head, cty: 'JWT' })],
    ['claims that are a list', () => made([good()])],
    ['claims that are no JSON', () => made('{')],
    ['five parts', () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AA.${encode(good())}.AA`],
    ['a part too many', () => `${made(good())}.${encode(good())}`],
    ['padding', () => `${made(good())}==`],
    [
      'an audience of ours that a second one replaces',
      () => made(`${JSON.stringify(good()).slice(0, -1)},"aud":"https://other.example"}`),
    ],
    [
      'an issuer of ours that a second one replaces',
      () => made(`${JSON.stringify(good()).slice(0, -1)},"iss":"https://other.example"}`),
    ],
  ];
}
