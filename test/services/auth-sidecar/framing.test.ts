import { signIn } from './support/harness.js';
import { SidecarPair } from './support/sidecar-pair.js';
import { type CookieJar, parseAnswer, request, sendRaw } from './support/raw-client.js';

/** `open` lets everyone pass, `closed` requires a sign-in except for some paths, such as `/public`. */
const sidecars = new SidecarPair();
let jar: CookieJar;
beforeAll(async () => {
  await sidecars.start();
  jar = (await signIn(sidecars.restricted, sidecars.idp)).jar;
});
afterAll(() => sidecars.stop());
beforeEach(() => sidecars.app.clear());

describe('message framing', () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  const cases: [string, string][] = [
    [
      'a content length and a transfer encoding',
      `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'two content lengths',
      `Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    ],
    ['a signed content length', `Content-Length: +2\r\n\r\nab`],
    ['a list of content lengths', `Content-Length: 2, 2\r\n\r\nab`],
    ['another transfer encoding', `Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['identity encoding', `Transfer-Encoding: identity\r\n\r\n${smuggled}`],
    ['chunked twice', `Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    [
      'two transfer encodings',
      `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
    ],
    ['chunked in capital letters', `Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n`],
    ['a disguised transfer encoding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a tab in the transfer encoding', `Transfer-Encoding:\tchunked \x0b\r\n\r\n0\r\n\r\n`],
    ['a space before the colon', `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a folded header', `X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n`],
    ['a bare line feed', `X-A: b\nContent-Length: 3\r\n\r\nabc`],
    ['a bad chunk size', `Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n`],
    ['a negative chunk size', `Transfer-Encoding: chunked\r\n\r\n-1\r\nab\r\n0\r\n\r\n`],
    ['a chunk without its end', `Transfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n0\r\n\r\n`],
  ];

  test.each(cases)('%s is refused and cannot smuggle a request', async (_, headersAndBody) => {
    const answer = await sendRaw(
      sidecars.permissive.url,
      `POST /first HTTP/1.1\r\nHost: ${sidecars.host}\r\n${headersAndBody}`,
    );
    expect(answer.match(/HTTP\/1\.1 2/g)).toBeNull();
    expect(sidecars.app.requests.filter(({ url }) => url === '/smuggled')).toEqual([]);
    expect(sidecars.app.bytes()).not.toContain('smuggled');
  });

  // Characters that some programs take for blanks or skip (RFC 9112, 5.1 allows space and tab
  // around a value only), and folded values.
  const separators = [
    '\x0b',
    '\x0c',
    '\x00',
    '\x1c',
    '\x85',
    '\xa0',
    '\r',
    '\r\n ',
    '\r\n\t',
    ' \x0b ',
    ',',
  ];
  const disguisedHeaders = [
    ...separators.flatMap((each) => [
      `Transfer-Encoding:${each}chunked`,
      `Transfer-Encoding: chunked${each}`,
      `Transfer-Encoding${each}: chunked`,
    ]),
    ...separators.flatMap((each) => [
      `Content-Length:${each}5`,
      `Content-Length: 5${each}`,
      `Content-Length${each}: 5`,
    ]),
    ...['0x5', '5;', '"5"', '5.0', '-5', '5 5', '٥', ''].map((each) => `Content-Length: ${each}`),
    ...['"chunked"', 'chunked;q=1', 'chunked chunked', ''].map(
      (each) => `Transfer-Encoding: ${each}`,
    ),
  ];

  test.each(disguisedHeaders)(
    '%j is refused, and bytes after it are not parsed as a request',
    async (line) => {
      for (const otherHeader of ['', 'Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n']) {
        const answer = await sendRaw(
          sidecars.permissive.url,
          `POST /first HTTP/1.1\r\nHost: ${sidecars.host}\r\n${otherHeader}${line}\r\n\r\n0\r\n\r\n${smuggled.replace('x', sidecars.host)}`,
          20,
        );
        expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([expect.stringMatching(/ 400$/)]);
        expect(sidecars.app.requests).toEqual([]);
      }
    },
  );

  test('aliases of framing headers are removed', async () => {
    await request(sidecars.permissive.url, {
      method: 'POST',
      headers: { Transfer_Encoding: 'chunked', Content_Length: '3', 'Content.Length': '9' },
      body: 'abc',
    });
    expect(sidecars.app.requests[0]?.body).toBe('abc');
    expect(
      sidecars.app.requests[0]?.rawHeaders.filter((each) =>
        /^(content|transfer).(length|encoding)$/i.test(each),
      ),
    ).toEqual(['Content-Length']);
  });

  test('chunks over HTTP/1.0 are refused', async () => {
    const answer = await sendRaw(
      sidecars.permissive.url,
      `POST / HTTP/1.0\r\nHost: ${sidecars.host}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    );
    expect(parseAnswer(answer).status).toBe(400);
    expect(sidecars.app.requests).toEqual([]);
  });

  test('every header is checked, however many there are', async () => {
    const manyHeaders = 'a:\r\n'.repeat(2500);
    const lastHeaders =
      'Content-Length: 3\r\nX-Svc-Client-Principal-Name: admin\r\nX-Last: seen\r\nConnection: close\r\n';
    const answer = await sendRaw(
      sidecars.permissive.url,
      `POST /many HTTP/1.1\r\nHost: ${sidecars.host}\r\n${manyHeaders}${lastHeaders}\r\nabc`,
      2000,
    );
    expect(parseAnswer(answer).status).toBe(200);
    expect(sidecars.app.bytes()).toContain('X-Last: seen');
    expect(sidecars.app.bytes()).toContain('\r\n\r\nabc');
    expect(sidecars.app.bytes().toLowerCase()).not.toContain('principal');
  });

  test('headers over 16 KB get 431', async () => {
    expect(
      (
        await request(sidecars.permissive.url, {
          headers: { 'X-Long': 'a'.repeat(17 * 1024) },
        })
      ).status,
    ).toBe(431);
    expect(
      (await request(sidecars.permissive.url, { path: `/${'a'.repeat(17 * 1024)}` })).status,
    ).toBe(431);
  });

  test('many short headers of more than 16 KB get 431, too', async () => {
    const manyHeaders = 'a: b\r\n'.repeat(3000);
    const answer = await sendRaw(
      sidecars.permissive.url,
      `GET / HTTP/1.1\r\nHost: ${sidecars.host}\r\n${manyHeaders}\r\n`,
    );
    expect(parseAnswer(answer).status).toBe(431);
    expect(sidecars.app.requests).toEqual([]);
  });

  test.each(['0.9', '2.0'])('a request line with HTTP/%s gets 505', async (version) => {
    const answer = await sendRaw(
      sidecars.permissive.url,
      `GET / HTTP/${version}\r\nHost: ${sidecars.host}\r\n\r\n`,
    );
    expect(parseAnswer(answer).status).toBe(505);
    expect(sidecars.app.requests).toEqual([]);
  });

  describe('a request with an Upgrade that is no WebSocket handshake', () => {
    const upgradeRequest = (
      protocol: string,
      headersAndBody = '\r\n',
      line = 'GET /x HTTP/1.1',
    ): string =>
      `${line}\r\nHost: ${sidecars.host}\r\nConnection: Upgrade, HTTP2-Settings, X-Named\r\nUpgrade: ${protocol}\r\n` +
      `HTTP2-Settings: AAMAAABkAAQAAP__\r\nX-Named: 1\r\nX-Kept: 2\r\n${headersAndBody}`;

    test.each(['h2c', 'h2c, websocket', 'TLS/1.0', 'websocket, h2c'])(
      '%s: it is answered as if it offered none',
      async (protocol) => {
        const answer = parseAnswer(
          await sendRaw(sidecars.permissive.url, upgradeRequest(protocol)),
        );
        expect([answer.status, answer.headers['connection']]).toEqual([200, ['close']]);
        expect(sidecars.app.requests).toHaveLength(1);
        expect(sidecars.app.requests[0]?.headers).toMatchObject({ 'x-kept': '2' });
        expect(sidecars.app.bytes()).not.toMatch(/upgrade|http2-settings|x-named/i);
      },
    );

    test('with a body, which reaches the app complete', async () => {
      const lines = upgradeRequest('h2c', 'Content-Length: 3\r\n\r\nabc', 'POST /x HTTP/1.1');
      expect(parseAnswer(await sendRaw(sidecars.permissive.url, lines)).status).toBe(200);
      expect(sidecars.app.requests[0]).toMatchObject({ method: 'POST', body: 'abc' });
    });

    test('cannot be used to get in without signing in', async () => {
      const text = upgradeRequest('h2c').replace(
        sidecars.host,
        new URL(sidecars.restricted.url).host,
      );
      expect(parseAnswer(await sendRaw(sidecars.restricted.url, text)).status).toBe(401);
      expect(sidecars.app.requests).toEqual([]);
    });

    test('later bytes on the connection are ignored', async () => {
      const answer = await sendRaw(
        sidecars.permissive.url,
        `${upgradeRequest('h2c')}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET /second HTTP/1.1\r\nHost: ${sidecars.host}\r\n\r\n`,
      );
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
      expect(sidecars.app.requests.map(({ url }) => url)).not.toContain('/second');
    });

    test.each([
      ['h2c', '200,200'],
      ['websocket', '200,400'], // not a whole handshake
    ])('%s behind an unanswered request is answered after it', async (protocol, statuses) => {
      const answer = await sendRaw(
        sidecars.permissive.url,
        `GET /first HTTP/1.1\r\nHost: ${sidecars.host}\r\n\r\n${upgradeRequest(protocol)}`,
      );
      expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join()).toBe(
        statuses,
      );
      expect(answer.indexOf('"url":"/first"')).toBeLessThan(answer.lastIndexOf('HTTP/1.1'));
    });
  });

  test('pipelined requests keep their own identity', async () => {
    const { host: closedHost } = new URL(sidecars.restricted.url);
    const signedInRequest = `GET /mine HTTP/1.1\r\nHost: ${closedHost}\r\nCookie: ${jar.header}\r\n\r\n`;
    const publicRequest = `GET /public/none HTTP/1.1\r\nHost: ${closedHost}\r\n\r\n`;
    await sendRaw(
      sidecars.restricted.url,
      signedInRequest + publicRequest + signedInRequest + publicRequest,
    );
    expect(
      sidecars.app.requests.map(({ url, headers }) => [url, headers['x-svc-client-principal-id']]),
    ).toEqual([
      ['/mine', 'subject-1'],
      ['/public/none', undefined],
      ['/mine', 'subject-1'],
      ['/public/none', undefined],
    ]);
  });
});
