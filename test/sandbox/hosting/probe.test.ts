import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { type Probe, runProbe, watchProbe } from '../../../sandbox/hosting/probe.js';

const probe = (properties: Partial<Probe>): Probe => ({
  port: 80,
  transport: 'http',
  path: '/',
  headers: {},
  initialDelayMs: 0,
  periodMs: 10,
  timeoutMs: 2_000,
  failureThreshold: 2,
  successThreshold: 1,
  ...properties,
});

const neverAborted = new AbortController().signal;
let server: Server | undefined;
const listen = async (listener: Server): Promise<number> => {
  server = listener;
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  return (listener.address() as AddressInfo).port;
};
afterEach(() => server?.close());

it.each([
  ['a path with a blank', { path: '/he alth' }, /^http:\/\/:80\/he alth: .*unescaped characters/],
  ['a header that HTTP has not', { headers: { 'x y': '1' } }, /Header name must be a valid HTTP/],
])('fails with the reason of %s, and probes on', async (_what, properties, reason) => {
  const port = await listen(createHttpServer((_request, response) => response.end()));
  expect(await runProbe(probe(properties), port, neverAborted)).toMatch(reason);
  const end = new AbortController();
  const results: unknown[] = [];
  const watch = watchProbe(probe(properties), port, end.signal, (result) => {
    results.push(result);
    end.abort();
  });
  await expect(watch).rejects.toMatchObject({ name: 'AbortError' });
  expect(results).toEqual([expect.stringMatching(reason)]);
});

it('ends a running probe when it is aborted', async () => {
  const port = await listen(createServer(() => undefined));
  for (const transport of ['http', 'tcp'] as const) {
    const end = new AbortController();
    setTimeout(() => end.abort(), 50);
    const before = performance.now();
    const watch = watchProbe(
      probe({ transport, timeoutMs: 60_000 }),
      port,
      end.signal,
      () => undefined,
    );
    await expect(watch).rejects.toMatchObject({ name: 'AbortError' });
    expect(performance.now() - before).toBeLessThan(5_000);
  }
});

it('lets a connection count that was accepted just before the timeout', async () => {
  const port = await listen(createServer(() => undefined));
  expect(
    await runProbe(probe({ transport: 'tcp', timeoutMs: 100 }), port, neverAborted),
  ).toBeUndefined();
});
