import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { createHttpServer, mountService } from '../../../services/common/http-server.js';
import type { Service } from '../../../services/common/service.js';

const echo = (prefix: string, customize?: (scope: FastifyInstance) => void): Service => ({
  prefixes: [prefix],
  register(scope) {
    customize?.(scope);
    scope.all('/echo/:name', (request) => ({
      name: (request.params as { name: string }).name,
      body: request.body ?? null,
      origin: `${request.protocol}://${request.host}`,
    }));
    scope.setNotFoundHandler((_request, reply) => reply.code(404).send({ from: prefix }));
  },
  seed: async () => undefined,
  close: async () => undefined,
});

let app: FastifyInstance;
beforeAll(async () => {
  app = createHttpServer();
  mountService(app, echo('/v1'));
  mountService(
    app,
    echo('/v1.0', (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) =>
        done(null, 'its own parser'),
      );
    }),
  );
  await app.ready();
});
afterAll(() => app.close());

test('path segments match in any letter case and parameters keep theirs', async () => {
  const answer = await app.inject({ url: '/V1/ECHO/MixedCase' });
  expect(answer.json()).toMatchObject({ name: 'MixedCase' });
});

test.each([
  ['application/json; charset=utf-8', '{"a":1}', { a: 1 }],
  ['application/json;odata.metadata=minimal', '{"a":1}', { a: 1 }],
  ['application/merge-patch+json', '{"a":1}', { a: 1 }],
  ['application/json', '', null],
  ['text/plain', 'hello', 'hello'],
  [undefined, '{"a":1}', { a: 1 }],
  ['application/x-www-form-urlencoded', 'a=1&b=2', { a: '1', b: '2' }],
])('a body of type %s is parsed: %s', async (type, payload, body) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/echo/x',
    payload,
    headers: type === undefined ? {} : { 'content-type': type },
  });
  expect(answer.json()).toMatchObject({ body });
});

test.each([
  '{',
  '{"__proto__":{"x":1},"a":1}',
  '{"\\u005f_proto__":1}',
  '{"a":"\\u0000"}',
  '{"a":"\\ud83d"}',
])('the JSON %s is refused with 400', async (payload) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/echo/x',
    payload,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.statusCode).toBe(400);
});

test("a service's own parser replaces the common ones", async () => {
  for (const type of ['image/png', 'application/json']) {
    const answer = await app.inject({
      method: 'POST',
      url: '/v1.0/echo/x',
      payload: 'x',
      headers: { 'content-type': type },
    });
    expect(answer.json()).toMatchObject({ body: 'its own parser' });
  }
});

test('each service words its own not-found answer, and a request to no service is a 404 in JSON', async () => {
  expect((await app.inject({ url: '/v1/none' })).json()).toEqual({ from: '/v1' });
  expect((await app.inject({ url: '/v1.0/none/deeper' })).json()).toEqual({ from: '/v1.0' });
  const notServed = await app.inject({ url: '/v2/none?token=secret' });
  expect(notServed.statusCode).toBe(404);
  expect(notServed.json()).toEqual({
    error: { code: 'NotFound', message: 'No service is served at GET /v2/none.' },
  });
});

test('HEAD is answered like GET, without the body', async () => {
  const [head, get] = await Promise.all(
    (['HEAD', 'GET'] as const).map((method) => app.inject({ method, url: '/v1/echo/x' })),
  );
  expect([head?.statusCode, head?.headers['content-length']]).toEqual([
    200,
    get?.headers['content-length'],
  ]);
  // inject shows the body that Node does not send
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(`${origin}/v1/echo/x`, { method: 'HEAD' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

test('absolute links use the requested Host', async () => {
  const answer = await app.inject({
    url: '/v1/echo/x',
    headers: { host: 'example.localhost:8443' },
  });
  expect(answer.json()).toMatchObject({ origin: 'http://example.localhost:8443' });
});

test('a parameter of a thousand characters is not too long', async () => {
  expect((await app.inject({ url: `/v1/echo/${'x'.repeat(1000)}` })).statusCode).toBe(200);
});

test('a request on an open connection while the server closes is answered by its service, which closes the connection', async () => {
  const closing = createHttpServer();
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((done) => (arrive = done));
  closing.get('/slow', async () => {
    arrive();
    await released;
    return 'slow';
  });
  closing.get('/late', async () => {
    release();
    return 'late';
  });
  await closing.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((closing.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived;
  const closed = closing.close();
  socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await text(socket)).toMatch(
    /^HTTP\/1\.1 200 [^]*slowHTTP\/1\.1 200 [^]*Connection: close[^]*late$/i,
  );
  await closed;
});

test('a request that needs a module removed by an update fails with the advice to start again', async () => {
  const server = createHttpServer();
  const missingModule = pathToFileURL(join(__dirname, 'gone-after-an-update.js')).href;
  server.get('/late', () => import(/* @vite-ignore */ missingModule));
  server.get('/other', () => Promise.reject(new Error('secret details')));
  const answer = await server.inject({ url: '/late' });
  expect([answer.statusCode, answer.json().error.message]).toEqual([
    500,
    expect.stringMatching(/installation of Castellan changed.*Start it again.*sandbox stop/),
  ]);
  expect((await server.inject({ url: '/other' })).json().error.message).toBe(
    'The request failed unexpectedly.',
  );
  await server.close();
});
