import fc from 'fast-check';
import { signOAuth1 } from '../../../services/auth-sidecar/providers/oauth1.js';
import {
  cookieNames,
  joinSessionCookie,
  sessionSetCookies,
  splitCookies,
} from '../../../services/auth-sidecar/session/cookies.js';
import { KeyRing } from '../../../services/auth-sidecar/session/key-ring.js';
import { percentEncodeUnprintable } from '../../../services/auth-sidecar/session/principal.js';
import {
  MalformedResponse,
  type ResponseHead,
} from '../../../services/auth-sidecar/upstream/response-head.js';
import { ResponseParser } from '../../../services/auth-sidecar/upstream/response-parser.js';
import { anyText } from '../../support/any-text.js';
import { runs } from '../../support/property-tests.js';

describe('the response parser', () => {
  function parse(
    bytes: string,
    cuts: readonly number[],
    method = 'GET',
  ): { head?: ResponseHead; body: string; done: boolean; rest: string; failed: boolean } {
    const result = { body: '', done: false, rest: '', failed: false } as {
      head?: ResponseHead;
      body: string;
      done: boolean;
      rest: string;
      failed: boolean;
    };
    const parser = new ResponseParser({
      onInformation: () => undefined,
      onHead: (head) => (result.head = head),
      onBody: (chunk) => (result.body += chunk.toString('latin1')),
      onEnd: () => (result.done = true),
    });
    parser.begin(method);
    let start = 0;
    try {
      for (const cut of [...cuts, bytes.length]) {
        if (cut <= start || parser.isDone) continue;
        result.rest = parser
          .read(Buffer.from(bytes.slice(start, cut), 'latin1'))
          .toString('latin1');
        start = cut;
      }
    } catch (error) {
      if (!(error instanceof MalformedResponse)) throw error;
      result.failed = true;
    }
    return result;
  }

  const completeResponses = [
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello', 'hello'],
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nX-T: y\r\n\r\n',
      'hello',
    ],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n', ''],
    ['HTTP/1.1 304 Same\r\nContent-Length: 7\r\n\r\n', ''],
    ['HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', ''],
  ] as const;

  test.each(completeResponses)('parses %j in any chunks', (bytes, body) => {
    for (let cut = 1; cut < bytes.length; cut++)
      expect(parse(bytes, [cut])).toMatchObject({ body, done: true, rest: '', failed: false });
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const result = parse(
          bytes,
          [...cuts].sort((a, b) => a - b),
        );
        return result.done && result.body === body && !result.failed;
      }),
      { numRuns: runs(200) },
    );
  });

  test.each([
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n',
    'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX : y\r\n\r\n',
    'HTTP/1.1 200 OK\r\n folded\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX: a\nb\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/2 200 OK\r\n\r\n',
    'garbage\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\n\r\n',
  ])('refuses %j', (bytes) => {
    expect(parse(bytes, []).failed).toBe(true);
  });

  test('never fails in other ways, and parses the same from any chunks', () => {
    const piece = fc.constantFrom(
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 100 C\r\n\r\n',
      'Content-Length: 3\r\n',
      'Transfer-Encoding: chunked\r\n',
      '\r\n',
      '\n',
      '\r',
      '3\r\n',
      'abc',
      '0\r\n',
      'X: y\r\n',
      ':',
      ' ',
      '\0',
      'ffffffffffff\r\n',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 12 }),
        fc.array(fc.nat(80), { maxLength: 4 }),
        (pieces, cuts) => {
          const bytes = Buffer.from(pieces.join(''), 'latin1').toString('latin1');
          const [unsplit, split] = [
            parse(bytes, []),
            parse(
              bytes,
              [...cuts].sort((a, b) => a - b),
            ),
          ];
          return (
            unsplit.done === split.done &&
            (unsplit.failed === split.failed || !unsplit.done) &&
            (!unsplit.done || unsplit.body === split.body)
          );
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  test('returns bytes after a response, so that the connection is closed', () => {
    expect(
      parse('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\n\r\n', []),
    ).toMatchObject({
      done: true,
      body: 'a',
      rest: 'HTTP/1.1 200 OK\r\n\r\n',
    });
  });
});

describe('keys', () => {
  const ownKey = Buffer.alloc(32, 1);
  test('decrypt what they encrypted, for the same purpose only, and encrypt differently every time', () => {
    const keys = KeyRing.of([], [], ownKey);
    const sealed = keys.seal(Buffer.from('x'), 'cookie');
    expect(keys.open(sealed, 'cookie')?.toString()).toBe('x');
    expect(keys.open(sealed, 'token')).toBeUndefined();
    expect(keys.seal(Buffer.from('x'), 'cookie')).not.toBe(sealed);
  });

  test('that are old decrypt, but never encrypt', () => {
    const [before, after] = [
      KeyRing.of(['a'.repeat(64)], ['s'.repeat(64)], ownKey),
      KeyRing.of(['b'.repeat(64), 'a'.repeat(64)], ['t'.repeat(64), 's'.repeat(64)], ownKey),
    ];
    expect(after.open(before.seal(Buffer.from('x'), 'p'), 'p')?.toString()).toBe('x');
    expect(before.open(after.seal(Buffer.from('x'), 'p'), 'p')).toBeUndefined();
    expect(
      KeyRing.of(['b'.repeat(64)], ['t'.repeat(64)], ownKey).open(
        after.seal(Buffer.from('x'), 'p'),
        'p',
      ),
    ).toBeDefined();
  });

  test('decrypt no text that they did not encrypt', () => {
    const keys = KeyRing.of([], [], ownKey);
    fc.assert(
      fc.property(
        fc.string(),
        (text) =>
          keys.open(text, 'p') === undefined && keys.open(`v1.AAAAAAAA.${text}`, 'p') === undefined,
      ),
    );
  });
});

describe('cookies', () => {
  const names = cookieNames('neutral', true);
  test('are reassembled from their chunks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 15_000 }), (length) => {
        const value = 'v1.abc_-'.repeat(length).slice(0, length);
        const header = sessionSetCookies(value, 60, names, [])
          .map((line) => line.split(';')[0])
          .join('; ');
        const { sidecar, forwarded } = splitCookies(`a=1; ${header}; b=2`);
        return joinSessionCookie(sidecar, names).value === value && forwarded === 'a=1; b=2';
      }),
      { numRuns: runs(50) },
    );
  });

  test('are broken where a chunk is missing, or is there with two values', () => {
    const { session } = names;
    const joined = (...own: [string, string][]) => joinSessionCookie(own, names);
    const chunks: [string, string][] = [
      [session, '2~v1.a'],
      [`${session}.1`, 'b'],
    ];
    expect(joined(...chunks, ...chunks)).toEqual({ value: 'v1.ab', isBroken: false });
    for (const [name] of chunks)
      expect(joined(...chunks, [name, 'x']), name).toEqual({ isBroken: true });
    expect(joined([session, '3~v1.a'], [`${session}.1`, 'b'])).toEqual({ isBroken: true });
    expect(joined([session, '5~v1.a'], ...chunks.slice(1))).toEqual({ isBroken: true });
  });

  test('over https are bound to the host', () => {
    expect(sessionSetCookies('x', 60, names, [])).toEqual([
      '__Host-SvcAuthSession=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    ]);
    expect(cookieNames('azure', true).session).toBe('AppServiceAuthSession');
  });
});

test('names in headers are printable ASCII, and different names stay different', () => {
  fc.assert(fc.property(anyText, (text) => /^[ -~]*$/.test(percentEncodeUnprintable(text))));
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      (a, b) => a === b || percentEncodeUnprintable(a) !== percentEncodeUnprintable(b),
    ),
  );
  for (const similarName of ['admins\u00a0', ' admins', 'admins ', '\u3000admins', 'admins\ufeff'])
    expect(percentEncodeUnprintable(similarName)).not.toBe('admins');
  expect(percentEncodeUnprintable(' ')).toBe('%20');
  expect(percentEncodeUnprintable('  a  b  ')).toBe('%20%20a  b%20%20');
  const spaced = `x${' '.repeat(60_000)}x\u00e9`; // would take seconds if every space began a search
  expect(percentEncodeUnprintable(spaced)).toBe(`x${' '.repeat(60_000)}x%C3%A9`);
});

test("OAuth 1.0a signatures match the provider's published example", () => {
  const signature = signOAuth1({
    method: 'POST',
    url: 'https://api.twitter.com/1.1/statuses/update.json?include_entities=true',
    parameters: [
      ['status', 'Hello Ladies + Gentlemen, a signed OAuth request!'],
      ['oauth_consumer_key', 'xvz1evFS4wEEPTGEFPHBog'],
      ['oauth_nonce', 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '1318622958'],
      ['oauth_token', '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb'],
      ['oauth_version', '1.0'],
    ],
    consumerSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
    tokenSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
  });
  expect(signature).toBe('hCtSmYh+iHYCEqBWrE7C7hYmtUk=');
});
