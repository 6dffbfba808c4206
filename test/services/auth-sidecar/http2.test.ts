import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http2, {
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { AwkwardApp, megabyte } from './support/awkward-app.js';
import { directoryConfig, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';

const idp = new TestIdentityProvider();
const app = new AwkwardApp();
const folder = mkdtempSync(join(tmpdir(), 'sidecar-http2-'));
let ca = '';
let url: string;
let tls: { tlsCert: string; tlsKey: string };
let anonymousSidecar: SidecarUnderTest;
let signInSidecar: SidecarUnderTest;
const clients: ClientHttp2Session[] = [];

/** A sidecar that clients reach by TLS. */
const start = (action: string, upstream: string, httpSettings = {}): Promise<SidecarUnderTest> =>
  startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: {
        unauthenticatedClientAction: action,
        excludedPaths: ['/test.Public/Echo'],
      },
      httpSettings,
    }),
    upstream,
    options: { ...tls, listen: 'localhost:0' },
  });

beforeAll(async () => {
  tls = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };
  const certificate = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', tls.tlsKey, '-out', tls.tlsCert];
  const keyOptions = ['-x509', '-nodes', '-newkey', 'rsa:2048', '-days', '2'];
  execFileSync('openssl', ['req', ...keyOptions, ...certificate, ...files], { stdio: 'ignore' });
  ca = readFileSync(tls.tlsCert, 'utf8');
  await idp.start();
  url = await app.start();
  [anonymousSidecar, signInSidecar] = [
    await start('AllowAnonymous', url),
    await start('Return401', url),
  ];
});
afterEach(() => {
  for (const each of clients.splice(0)) each.destroy();
});
afterAll(async () => {
  await anonymousSidecar.stop();
  await signInSidecar.stop();
  await app.close();
  await idp.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly headers: IncomingHttpHeaders & { ':status'?: number };
  readonly body: Buffer;
  readonly trailers: IncomingHttpHeaders;
  readonly hints: IncomingHttpHeaders[];
}

function connect(sidecar: SidecarUnderTest): ClientHttp2Session {
  const session = http2.connect(sidecar.url, { ca, maxSessionMemory: 100 });
  session.on('error', () => undefined);
  clients.push(session);
  return session;
}

function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: Buffer,
): Promise<Answer> {
  return new Promise((done, fail) => {
    const stream = session.request(headers, { endStream: body === undefined });
    const parts: Buffer[] = [];
    const hints: IncomingHttpHeaders[] = [];
    let [head, trailers]: IncomingHttpHeaders[] = [{}, {}];
    stream.on('response', (each) => (head = each));
    stream.on('headers', (each) => hints.push(each));
    stream.on('trailers', (each) => (trailers = each));
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () =>
      done({ headers: head ?? {}, body: Buffer.concat(parts), trailers: trailers ?? {}, hints }),
    );
    stream.on('error', fail);
    if (body !== undefined) stream.end(body);
  });
}

describe('a client by HTTP/2', () => {
  test('gets answers with several cookies, without a body, with trailers and early hints', async () => {
    const session = connect(anonymousSidecar);
    const cookies = await ask(session, { ':path': '/cookies' });
    expect(cookies.headers).toMatchObject({ ':status': 200, 'set-cookie': ['a=1', 'b=2'] });
    expect((await ask(session, { ':path': '/empty' })).headers[':status']).toBe(204);
    const late = await ask(session, { ':path': '/trailers' });
    expect(late.body.toString()).toBe('abc');
    expect(Object.entries(late.trailers)).toEqual([['x-late', '1']]);
    const hinted = await ask(session, { ':path': '/hints' });
    expect(hinted.hints).toEqual([expect.objectContaining({ link: '</a.css>; rel=preload' })]);
  });

  describe('of an app that writes its own bytes', () => {
    const ok = 'HTTP/1.1 200 OK';
    const complete = 'Content-Length: 2\r\n\r\nok';
    let bytes = '';
    const bareApp = net.createServer((socket) =>
      socket.on('error', () => undefined).on('data', () => socket.write(bytes, 'latin1')),
    );
    let sidecar: SidecarUnderTest;
    beforeAll(async () => {
      await new Promise<void>((done) => bareApp.listen(0, '127.0.0.1', done));
      const { port } = bareApp.address() as AddressInfo;
      sidecar = await start('AllowAnonymous', `http://127.0.0.1:${port}`);
    });
    afterAll(async () => {
      await sidecar.stop();
      bareApp.close();
    });

    test.each([
      ['a repeated value', ['nosniff', 'nosniff'], 'x-content-type-options', 'nosniff'],
      ['two values', ['text/html', 'text/plain'], 'content-type', 'text/html, text/plain'],
    ])('gets %s of a field that has only one', async (_, values, name, expected) => {
      const lines = values.map((each) => `${name}: ${each}\r\n`).join('');
      bytes = `${ok}\r\n${lines}${complete}`;
      const { headers, body } = await ask(connect(sidecar), { ':path': '/' });
      expect([headers[name], body.toString()]).toEqual([expected, 'ok']);
    });

    test.each(['TE: trailers', 'TE: gzip', 'HTTP2-Settings: AAMAAABk'])(
      'gets an answer with %s without that field',
      async (line) => {
        bytes = `${ok}\r\n${line}\r\nX-Kept: yes\r\n${complete}`;
        const { headers } = await ask(connect(sidecar), { ':path': '/' });
        expect(Object.keys(headers)).toContain('x-kept');
        expect(Object.keys(headers)).not.toContain(line.split(':')[0]?.toLowerCase());
      },
    );

    test('gets trailers that have a field twice, and none of the connection', async () => {
      const trailers = 'X-A: 1\r\nX-A: 2\r\nETag: "1"\r\nETag: "2"\r\nHTTP2-Settings: AA';
      bytes = `${ok}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${trailers}\r\n\r\n`;
      const answer = await ask(connect(sidecar), { ':path': '/' });
      expect(Object.entries(answer.trailers)).toEqual([
        ['x-a', '1, 2'],
        ['etag', '"1", "2"'],
      ]);
    });

    test('gets 502 for a status that HTTP/2 does not have', async () => {
      bytes = `HTTP/1.1 999 Request denied\r\n${complete}`;
      const { headers } = await ask(connect(sidecar), { ':path': '/' });
      expect(headers[':status']).toBe(502);
    });
  });

  test('uploads and downloads megabytes, side by side', async () => {
    const session = connect(anonymousSidecar);
    const body = Buffer.concat(Array<Buffer>(4).fill(megabyte));
    const [large, ...counts] = await Promise.all([
      ask(session, { ':path': '/large' }),
      ...[1, 2, 3].map(() => ask(session, { ':path': '/count', ':method': 'POST' }, body)),
    ]);
    expect(large?.body.length).toBe(64 * 1024 * 1024);
    expect(counts.map((each) => each.body.toString())).toEqual(Array(3).fill(String(body.length)));
  });

  test('gets an early answer without sending the rest, and goes on', async () => {
    const session = connect(anonymousSidecar);
    const answer = await ask(session, { ':path': '/reject', ':method': 'POST' }, megabyte);
    expect([answer.headers[':status'], answer.body.toString()]).toEqual([413, 'big']);
    expect((await ask(session, { ':path': '/empty' })).headers[':status']).toBe(204);
  });

  test('sees an answer that was cut off as an error', async () => {
    await expect(ask(connect(anonymousSidecar), { ':path': '/cut' })).rejects.toThrow(
      /INTERNAL_ERROR/,
    );
  });

  test('gets 401 without a session or with a forged one, and 200 with a token', async () => {
    const session = connect(signInSidecar);
    const forged = { 'x-svc-client-principal-id': 'admin', cookie: ['a=1', 'SvcAuthSession=x'] };
    expect((await ask(session, { ':path': '/x', ...forged })).headers[':status']).toBe(401);
    const token = `Bearer ${await idp.sign({ aud: idp.clientId })}`;
    expect((await ask(session, { ':path': '/x', authorization: token })).headers[':status']).toBe(
      200,
    );
    const post = { ':path': '/x', ':method': 'POST' };
    expect((await ask(session, post, megabyte)).headers[':status']).toBe(401);
  });

  test.each([
    ['two hosts', { ':authority': 'localhost', host: 'evil.example' }, 400],
    ['another host', { ':authority': 'evil.example' }, 421],
    ['a dot segment', { ':path': '/a/../b' }, 400],
    ['a fragment', { ':path': '/a#b' }, 400],
    ['TRACE', { ':method': 'TRACE' }, 405],
    ['trace, which an app may read in any letter case', { ':method': 'trace' }, 405],
  ])('with %s is refused', async (_, headers, status) => {
    const { body, headers: head } = await ask(connect(anonymousSidecar), {
      ':path': '/',
      ...headers,
    });
    expect([head[':status'], body.toString()]).toEqual([
      status,
      expect.stringContaining('message'),
    ]);
  });

  test('is refused for CONNECT and for headers that are too long', async () => {
    const session = connect(anonymousSidecar);
    const tunnel = await ask(session, { ':method': 'CONNECT', ':authority': 'evil.example:443' });
    expect(tunnel.headers[':status']).toBe(405);
    const long = await ask(connect(anonymousSidecar), {
      ':path': '/',
      'x-long': 'x'.repeat(20_000),
    });
    expect(long.headers[':status']).toBe(431);
    const longer = { ':path': '/', 'x-long': 'x'.repeat(200_000) };
    await expect(ask(connect(anonymousSidecar), longer)).rejects.toThrow();
    expect((await ask(connect(anonymousSidecar), { ':path': '/empty' })).headers[':status']).toBe(
      204,
    );
  });

  test('may send many cookies, each as a field of its own', async () => {
    const crumbs = Array.from({ length: 180 }, (_, index) => `cookie-${index}=${index}`);
    const { headers, body } = await ask(connect(anonymousSidecar), {
      ':path': '/cookies-sent',
      cookie: crumbs,
    });
    expect([headers[':status'], body.toString()]).toEqual([200, crumbs.join('; ')]);
  });

  test('is served beside clients of HTTP/1.1', async () => {
    const status = await new Promise((done, fail) =>
      https
        .get(`${anonymousSidecar.url}/empty`, { ca }, (answer) => done(answer.statusCode))
        .on('error', fail),
    );
    expect(status).toBe(204);
  });

  test('is disconnected at a shutdown, after its answer', async () => {
    const sidecar = await start('AllowAnonymous', url);
    const session = connect(sidecar);
    await ask(session, { ':path': '/empty' });
    const gone = new Promise((done) => session.once('close', done));
    await Promise.all([sidecar.stop(), gone]);
  });
});

describe('an app by HTTP/2', () => {
  const sockets: Socket[] = [];
  const app = http2.createServer();
  let sidecar: SidecarUnderTest;
  beforeAll(async () => {
    app.on('connection', (socket: Socket) => sockets.push(socket));
    app.on('stream', (stream, { ':path': path }) => {
      stream.on('error', () => undefined);
      if (path === '/cancelled') stream.close(http2.constants.NGHTTP2_CANCEL);
      else if (path === '/refused') stream.close(http2.constants.NGHTTP2_NO_ERROR);
      else {
        stream.respond({ ':status': 200 });
        stream.write('part', () => sockets.forEach((each) => each.destroy()));
      }
    });
    await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
    const { port } = app.address() as AddressInfo;
    const settings = { transport: 'http2' };
    sidecar = await start('AllowAnonymous', `http://127.0.0.1:${port}`, settings);
  });
  afterAll(async () => {
    await sidecar.stop();
    app.close();
  });

  test.each(['/cancelled', '/refused'])(
    'that resets a request before it answers is no success: %s',
    async (path) => {
      const { headers } = await ask(connect(sidecar), { ':path': path });
      expect(headers[':status']).toBe(502);
    },
  );

  test('that breaks off in its answer leaves it recognizably incomplete', async () => {
    await expect(ask(connect(sidecar), { ':path': '/cut' })).rejects.toThrow(/INTERNAL_ERROR/);
    await expect(
      new Promise((done, fail) =>
        https.get(`${sidecar.url}/cut`, { ca, agent: false }, (answer) =>
          answer.resume().on('end', done).on('error', fail),
        ),
      ),
    ).rejects.toThrow();
  });
});

describe('gRPC', () => {
  const server = new grpc.Server();
  let sidecar: SidecarUnderTest;
  let credentials: grpc.ChannelCredentials;
  const unchanged = (value: Buffer): Buffer => value;
  const method = (path: string, requestStream: boolean, responseStream: boolean) =>
    ({
      path,
      requestStream,
      responseStream,
      requestSerialize: unchanged,
      requestDeserialize: unchanged,
      responseSerialize: unchanged,
      responseDeserialize: unchanged,
    }) as const;
  const service = {
    echo: method('/test.Public/Echo', false, false),
    secret: method('/test.Private/Secret', false, false),
    fail: method('/test.Private/Fail', false, false),
    chat: method('/test.Private/Chat', true, true),
  };
  const receivedMetadata: grpc.Metadata[] = [];

  beforeAll(async () => {
    server.addService(service, {
      echo: (call: grpc.ServerUnaryCall<Buffer, Buffer>, done: grpc.sendUnaryData<Buffer>) =>
        done(null, call.request),
      secret: (call: grpc.ServerUnaryCall<Buffer, Buffer>, done: grpc.sendUnaryData<Buffer>) => {
        receivedMetadata.push(call.metadata);
        const trailer = new grpc.Metadata();
        trailer.set('x-trailer', 'end');
        done(null, Buffer.from('secret'), trailer);
      },
      fail: (_: unknown, done: grpc.sendUnaryData<Buffer>) =>
        done({ code: grpc.status.FAILED_PRECONDITION, details: 'not now' }),
      chat: (call: grpc.ServerDuplexStream<Buffer, Buffer>) => {
        call.on('data', (part: Buffer) => call.write(Buffer.from(`> ${part.toString()}`)));
        call.on('end', () => call.end());
      },
    });
    const port = await new Promise<number>((done, fail) =>
      server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, each) =>
        error === null ? done(each) : fail(error),
      ),
    );
    sidecar = await start('Return401', `http://127.0.0.1:${port}`, { transport: 'http2' });
    credentials = grpc.credentials.createSsl(Buffer.from(ca));
  });
  afterAll(async () => {
    await sidecar.stop();
    server.forceShutdown();
  });

  test('request headers with the name of an object property, and repeated ones, reach the app', async () => {
    let receivedHeaders: IncomingHttpHeaders = {};
    const plain = http2.createServer((incoming, response) => {
      receivedHeaders = incoming.headers;
      response.end();
    });
    const port = await new Promise<number>((done) =>
      plain.listen(0, '127.0.0.1', () => done((plain.address() as AddressInfo).port)),
    );
    const plainSidecar = await start('AllowAnonymous', `http://127.0.0.1:${port}`, {
      transport: 'http2',
    });
    const answer = await ask(connect(plainSidecar), { ':path': '/', constructor: 'mine' });
    expect([answer.headers[':status'], receivedHeaders['constructor']]).toEqual([200, 'mine']);
    // RFC 9110, 5.2: repeated fields are one, separated by commas
    const status = await new Promise((done) =>
      https.get(
        plainSidecar.url,
        { ca, headers: { 'If-None-Match': ['"a"', '"b"'] } as never },
        (response) => done(response.resume().statusCode),
      ),
    );
    expect([status, receivedHeaders['if-none-match']]).toEqual([200, '"a", "b"']);
    await plainSidecar.stop();
    plain.close();
  });

  const client = (): grpc.Client & Record<string, (...args: unknown[]) => unknown> => {
    const Client = grpc.makeGenericClientConstructor(service, 'test');
    return new Client(new URL(sidecar.url).host, credentials) as never;
  };
  const call = (
    name: keyof typeof service,
    metadata = new grpc.Metadata(),
  ): Promise<{
    readonly error?: grpc.ServiceError;
    readonly text?: string;
    readonly trailer?: string;
  }> =>
    new Promise((done) => {
      const each = client();
      let end: grpc.MetadataValue | undefined;
      const unaryCall = each[name]?.(
        Buffer.from('hello'),
        metadata,
        (error: grpc.ServiceError | null, answer?: Buffer) =>
          setImmediate(() => {
            each.close();
            done(error === null ? { text: String(answer), trailer: String(end) } : { error });
          }),
      ) as grpc.ClientUnaryCall;
      unaryCall.on(
        'status',
        (status: grpc.StatusObject) => ([end] = status.metadata.get('x-trailer')),
      );
    });
  const signedIn = async (): Promise<grpc.Metadata> => {
    const metadata = new grpc.Metadata();
    metadata.set('authorization', `Bearer ${await idp.sign({ aud: idp.clientId })}`);
    metadata.set('x-svc-client-principal-id', 'forged');
    return metadata;
  };

  test('a call of an excluded path is answered', async () => {
    expect((await call('echo')).text).toBe('hello');
  });

  test('a call without a session is UNAUTHENTICATED', async () => {
    expect((await call('secret')).error?.code).toBe(grpc.status.UNAUTHENTICATED);
    expect(receivedMetadata).toEqual([]);
  });

  test('a call with a token reaches the app with its identity, and the trailers come back', async () => {
    expect(await call('secret', await signedIn())).toEqual({ text: 'secret', trailer: 'end' });
    expect(receivedMetadata[0]?.get('x-svc-client-principal-id')).toEqual(['subject-1']);
  });

  test("the app's own status comes back", async () => {
    const { error } = await call('fail', await signedIn());
    expect([error?.code, error?.details]).toEqual([grpc.status.FAILED_PRECONDITION, 'not now']);
  });

  test('a stream goes both ways at once', async () => {
    const each = client();
    const chat = each['chat']?.(await signedIn()) as grpc.ClientDuplexStream<Buffer, Buffer>;
    const receivedTexts: string[] = [];
    for (const word of ['one', 'two', 'three']) {
      chat.write(Buffer.from(word));
      receivedTexts.push(String(await new Promise<Buffer>((done) => chat.once('data', done))));
    }
    chat.end();
    await new Promise((done) => chat.once('end', done));
    each.close();
    expect(receivedTexts).toEqual(['> one', '> two', '> three']);
  });

  test('a call of an app that is gone is answered with 502', async () => {
    const gone = await start('AllowAnonymous', 'http://127.0.0.1:1', { transport: 'http2' });
    const { headers } = await ask(connect(gone), {
      ':path': '/test.Public/Echo',
      ':method': 'POST',
    });
    expect(headers[':status']).toBe(502);
    await gone.stop();
  });
});
