import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  createProviderHttp,
  withProviderTimeout,
} from '../../../services/auth-sidecar/providers/provider-http.js';
import { isSafeAddress } from '../../../services/auth-sidecar/config/endpoints.js';
import type { Limits } from '../../../services/auth-sidecar/config/settings.js';

/** A provider that misbehaves in the way its path says. */
const server = http.createServer((request, response) => {
  switch (request.url) {
    case '/hangs':
      return;
    case '/drips':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
      return;
    case '/huge':
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let index = 0; index < 3; index++) response.write('x'.repeat(500_000));
      response.end();
      return;
    case '/announces':
      response.writeHead(200, { 'content-length': String(2 ** 31) });
      response.write('x');
      return;
    case '/moves':
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
      return;
    case '/compresses':
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
      return;
    default:
      response.end('{"a":1}');
  }
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((done) => server.close(done));
});

const failures: string[] = [];
const callProvider = createProviderHttp(({ message }) => failures.push(message));

describe('a provider', () => {
  test.each([
    ['/hangs', 504],
    ['/drips', 504],
    ['/huge', 502],
    ['/announces', 502],
    ['/moves', 502],
    ['/compresses', 502],
  ])('that %s is aborted with %i', async (path, status) => {
    await expect(
      callProvider(url + path, { signal: AbortSignal.timeout(1500) }),
    ).rejects.toMatchObject({ name: 'Refusal', status });
  });

  test('that closes a kept connection while it is used again is called through a new one', async () => {
    const sockets = new Set<object>();
    const closing = http.createServer(({ socket }, response) => {
      if (sockets.has(socket)) socket.destroy();
      else response.end(JSON.stringify({ connections: sockets.add(socket).size }));
    });
    await new Promise<void>((done) => closing.listen(0, '127.0.0.1', done));
    const address = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`;
    for (const connections of [1, 2])
      expect(
        await callProvider(address, {
          form: new URLSearchParams({ code: 'c' }),
          signal: AbortSignal.timeout(1500),
        }),
      ).toMatchObject({ status: 200, body: { connections } });
    closing.closeAllConnections();
    await new Promise((done) => closing.close(done));
  });

  test('that is unreachable is reported to clients without its address, and to the log without its query', async () => {
    const refusal = await callProvider('http://127.0.0.1:1/?code=secret-code', {
      signal: AbortSignal.timeout(1500),
    }).catch((error: Error) => error);
    expect(refusal).toMatchObject({ status: 502 });
    expect(JSON.stringify(refusal) + String((refusal as Error).message)).not.toContain(
      'secret-code',
    );
  });

  test.each([
    ['https://idp.example', true],
    ['http://127.0.0.1:1', true],
    ['http://localhost', true],
    ['http://idp.localhost', true],
    ['http://idp.example', false],
    ['http://localhost.evil.example', false],
    ['https://user@idp.example', false],
    ['file:///etc/passwd', false],
    ['nonsense', false],
  ])('at %s is at a safe address: %s', (address, isSafe) => {
    expect(isSafeAddress(address)).toBe(isSafe);
  });
});

test('a timer for a provider ends with its answer', async () => {
  const runtime = { settings: { limits: { providerTimeoutSeconds: 0.05 } as Limits } };
  const signals: AbortSignal[] = [];
  await withProviderTimeout(runtime, (signal) => void signals.push(signal));
  await new Promise((done) => setTimeout(done, 150));
  const hanging = withProviderTimeout(runtime, (signal) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  await expect(hanging).rejects.toMatchObject({ name: 'Refusal', status: 504 });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});
