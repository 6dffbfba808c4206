import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AppStatus } from '../../../sandbox/hosting/app-status.js';
import { appNameOfHost, Ingress } from '../../../sandbox/ingress/ingress.js';

test.each([
  ['web.localhost', 'web'],
  ['WEB.localhost:8443', 'web'],
  ['web.internal.localhost:1', 'web'],
  ['localhost:8443', undefined],
  ['127.0.0.1', undefined],
  ['web.localhost.evil.example', undefined],
  ['a.b.localhost', undefined],
  ['.localhost', undefined],
  [undefined, undefined],
])('the host %s names the app %s', (host, app) => {
  expect(appNameOfHost(host)).toBe(app);
});

describe('a running ingress', () => {
  let upstream: Server;
  let front: Server;
  let ingress: Ingress;
  let receivedRequest: IncomingMessage | undefined;
  let receivedUrls: (string | undefined)[] = [];
  let port: number | undefined;
  let status: AppStatus = {
    name: 'web',
    id: '/x',
    state: 'running',
    runs: 'page',
    auth: false,
    replicas: 1,
  };
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      receivedRequest = request;
      receivedUrls.push(request.url);
      if (request.url === '/break') return request.socket.destroy();
      if (request.url === '/odd') return request.socket.end('HTTP/1.1 099 Odd\r\n\r\n');
      if (request.url === '/cut') {
        response.writeHead(403, { 'content-type': 'text/html', 'content-length': '100' });
        response.write('<p>');
        return void setTimeout(() => request.socket.destroy(), 20);
      }
      response.writeHead(201, {
        'set-cookie': ['a=1', 'b=2'],
        'x-kept': 'yes',
        connection: 'x-hop',
        'x-hop': 'gone',
      });
      if (request.url === '/streamed') {
        response.write('ans');
        return response.end('wer');
      }
      request.pipe(response);
    });
    await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
    port = portOf(upstream);
    const apps = {
      appNameAt: appNameOfHost,
      route: (app: string) =>
        app === 'web'
          ? {
              lease: () =>
                Promise.resolve(
                  port === undefined ? undefined : { port, release: () => undefined },
                ),
              status: () => status,
              logFile: '.castellan/environments/staging/logs/web.log',
            }
          : undefined,
    };
    ingress = new Ingress(apps, ({ page }) => Promise.resolve(page));
    front = createServer(ingress.handle).on('upgrade', (...parts) =>
      ingress.upgrade(front, ...parts),
    );
    await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  });
  afterAll(() => {
    ingress.close();
    front.close();
    upstream.close();
    front.closeAllConnections();
    upstream.closeAllConnections();
  });

  const send = (
    path: string,
    headers: Record<string, string | string[]> = {},
    body = '',
    method = 'POST',
  ): Promise<IncomingMessage & { text: string }> =>
    new Promise((done, fail) => {
      const request = httpRequest(
        {
          port: portOf(front),
          host: '127.0.0.1',
          path,
          method,
          headers: { host: 'web.localhost', ...headers },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => (text += part));
          answer.once('end', () => done(Object.assign(answer, { text })));
        },
      );
      request.once('error', fail);
      request.end(body);
    });

  test('forwards path, headers and body, and replaces forwarding headers of the client', async () => {
    const answer = await send(
      '/a%2Fb//c?x=%20',
      {
        'x-forwarded-for': '6.6.6.6',
        'X-Forwarded-Proto': 'http',
        'x-real-ip': '6',
        forwarded: 'for=6',
        connection: 'close, x-mine',
        'x-mine': 'gone',
        'x-list': ['1', '2'],
      },
      'body',
    );
    expect([
      answer.statusCode,
      answer.text,
      answer.headers['set-cookie'],
      answer.headers['x-kept'],
      answer.headers['x-hop'],
    ]).toEqual([201, 'body', ['a=1', 'b=2'], 'yes', undefined]);
    expect(receivedRequest?.url).toBe('/a%2Fb//c?x=%20');
    expect(receivedRequest?.headers).toMatchObject({
      host: 'web.localhost',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'web.localhost',
      'x-list': '1, 2',
    });
    expect(receivedRequest?.headers['x-forwarded-for']).not.toContain('6.6.6.6');
    for (const name of ['x-real-ip', 'forwarded', 'x-mine'])
      expect(receivedRequest?.headers).not.toHaveProperty(name);
  });

  /** Sends bytes as they are; the answer as it is, until the connection closes or is idle. */
  const sendBytes = (lines: readonly string[], body = ''): Promise<string> =>
    new Promise((done, fail) => {
      let answer = '';
      const socket = connect(portOf(front), '127.0.0.1');
      socket.setEncoding('latin1').on('data', (part: string) => (answer += part));
      socket.setTimeout(500, () => socket.destroy());
      socket.once('error', fail).once('close', () => done(answer));
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    });

  test.each([
    ['content-length', 'Content-Length: 67', (body: string) => body],
    [
      'transfer-encoding',
      'Transfer-Encoding: chunked',
      (body: string) => `43\r\n${body}\r\n0\r\n\r\n`,
    ],
  ])('a body stays a body where Connection names %s', async (name, header, encode) => {
    const smuggled = 'GET /second HTTP/1.1\r\nHost: web.localhost\r\nX-Forwarded-For: 9.9\r\n\r\n';
    receivedUrls = [];
    const answer = await sendBytes(
      ['GET /first HTTP/1.1', 'Host: web.localhost', `Connection: ${name}, host`, header],
      encode(smuggled),
    );
    expect(smuggled).toHaveLength(67);
    expect([receivedUrls, receivedRequest?.headers.host]).toEqual([['/first'], 'web.localhost']);
    expect(answer).toContain(smuggled);
  });

  test.each([
    ['HTTP/1.0', ['GET /streamed HTTP/1.0']],
    [
      'a WebSocket that the app refuses',
      [
        'GET /streamed HTTP/1.1',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
      ],
    ],
  ])('an answer without a length ends with the connection: %s', async (_, lines) => {
    const answer = await sendBytes([...lines, 'Host: web.localhost']);
    const [head = '', body] = answer.split('\r\n\r\n');
    expect([head.split(' ')[1], body]).toEqual(['201', 'answer']);
    expect(head.toLowerCase()).toContain('connection: close');
    expect(head.toLowerCase()).not.toContain('transfer-encoding');
  });

  test.each(['h2c', 'websocket, h2c', 'websocket'])(
    'a request with a body is served without its offer of %s',
    async (offer) => {
      const answer = await sendBytes(
        [
          'POST /offer HTTP/1.1',
          'Host: web.localhost',
          'Connection: Upgrade, HTTP2-Settings',
          `Upgrade: ${offer}`,
          'HTTP2-Settings: AAMAAABkAAQAAP__',
          'Content-Length: 4',
        ],
        'body',
      );
      expect(answer).toMatch(/^HTTP\/1\.1 201 [^]*\r\n\r\n4\r\nbody\r\n0\r\n\r\n$/);
      expect(receivedRequest?.headers).not.toHaveProperty('upgrade');
    },
  );

  test('an app that accepts a WebSocket gets bytes and sends bytes', async () => {
    upstream.once('upgrade', (_request, socket: Duplex, head: Buffer) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      );
      socket.write(head);
      socket.pipe(socket);
    });
    const answer = await sendBytes(
      ['GET /ws HTTP/1.1', 'Host: web.localhost', 'Connection: Upgrade', 'Upgrade: WebSocket'],
      'frame',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\nframe$/);
  });

  test('an app that breaks the connection is a 502, as a page for people and as JSON for programs', async () => {
    expect([(await send('/break')).statusCode, JSON.parse((await send('/break')).text)]).toEqual([
      502,
      {
        error: {
          code: 502,
          message: expect.stringContaining(
            'Its output is in .castellan/environments/staging/logs/web.log.',
          ),
        },
      },
    ]);
    expect((await send('/break', { accept: 'text/html' })).text).toContain(
      '<h1>The app closed the connection</h1>',
    );
  });

  test.each(['/odd', '/cut'])('an answer that can not be passed on is a 502: %s', async (path) => {
    status = { ...status, auth: true }; // so that a page may be of the sign-in layer
    const answer = await send(path, {}, '', 'GET');
    expect([answer.statusCode, JSON.parse(answer.text).error.message]).toEqual([
      502,
      expect.stringContaining('The app gave no valid answer.'),
    ]);
    status = { ...status, auth: false };
  });

  test('an app that must not be served is a 503 with the reason, an unknown one a 404', async () => {
    port = undefined;
    status = { ...status, state: 'failed', detail: 'its <secret> is missing' };
    const answer = await send('/', { accept: 'text/html' });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(answer.text).toContain('its &#60;secret&#62; is missing');
    const { detail: _, ...unexplained } = status;
    status = unexplained;
    expect((await send('/')).text).toContain('see .castellan/environments/staging/logs/web.log');
    expect((await send('/', { host: 'other.localhost' })).statusCode).toBe(404);
    port = portOf(upstream);
  });
});
