import fc from 'fast-check';
import { directoryConfig, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { request, sendRaw } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';
import { runs } from '../../support/property-tests.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'Return401', excludedPaths: ['/public'] },
    }),
    upstream: app.url,
  });
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await idp.close();
});

test('for any bytes, only excluded paths reach the app, without an identity, and the sidecar continues to serve', async () => {
  const path = fc
    .array(
      fc.constantFrom(
        '/public',
        '/',
        '..',
        '%2e',
        '%2f',
        '%5c',
        '\\',
        ';',
        '?',
        '#',
        '.auth',
        '/me',
        '//',
        'secret',
        '%00',
        ' ',
        'é',
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(''));
  const header = fc.oneof(
    fc.constantFrom(
      'X-SVC-CLIENT-PRINCIPAL-NAME: admin',
      'x_svc.client-principal-id: 1',
      'X-MS-TOKEN-AAD-ACCESS-TOKEN: x',
      'Connection: close, x-svc-client-principal-name',
      'Transfer-Encoding: chunked',
      'Content-Length: 5',
      'Content-Length: 0',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Upgrade: h2c',
      'Expect: 100-continue',
      'Cookie: SvcAuthSession=v1.AAAAAAAA.AAAA; a=b',
      'Authorization: Bearer a.b.c',
      'X-Forwarded-Host: evil',
      'Host: evil',
      ' folded',
      'Bad Name: x',
      'X-A: \u0001',
      'Trailer: x-svc-client-principal',
    ),
    fc.string({ maxLength: 20 }),
  );
  const message = fc.record({
    method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'get', 'G(T', ''),
    path,
    version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2', ''),
    headers: fc.array(header, { maxLength: 5 }),
    lineEnding: fc.constantFrom('\r\n', '\r\n', '\n'),
    body: fc.constantFrom(
      '',
      '5\r\nhello\r\n0\r\n\r\n',
      'hello',
      '0\r\n\r\nGET /secret HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /secret HTTP/1.1\r\n\r\n',
    ),
  });
  const { host } = new URL(sidecar.url);
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 3 }), async (messages) => {
      app.clear();
      const bytes = messages
        .map(({ method, path: target, version, headers, lineEnding, body }) =>
          [`${method} ${target} ${version}`, `Host: ${host}`, ...headers, '', body].join(
            lineEnding,
          ),
        )
        .join('');
      await sendRaw(sidecar.url, Buffer.from(bytes, 'utf8'), 25);
      for (const { url, rawHeaders } of app.requests) {
        expect(url).toMatch(/^\/public($|\/|\?)/);
        expect(
          rawHeaders.filter(
            (each, index) => index % 2 === 0 && /principal|svc|zumo|x-ms/i.test(each),
          ),
        ).toEqual([]);
      }
      expect(app.bytes()).not.toMatch(/\/secret HTTP|admin|SvcAuthSession/);
    }),
    { numRuns: runs(150) },
  );
  expect((await request(sidecar.url, { path: '/public' })).status).toBe(200);
});
