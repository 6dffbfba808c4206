import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { directoryConfig, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { request } from './support/raw-client.js';

const idp = new TestIdentityProvider();
let app: http.Server;
/** Answers that the app holds back, by path. */
const heldResponses = new Map<string, http.ServerResponse>();
beforeAll(async () => {
  await idp.start();
  app = http.createServer((incoming, response) => {
    if (incoming.url?.startsWith('/hold')) heldResponses.set(incoming.url, response);
    else response.end('app');
  });
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  app.closeAllConnections();
  await new Promise((done) => app.close(done));
  await idp.close();
});

const start = (drainSeconds: number): Promise<SidecarUnderTest> =>
  startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
    }),
    upstream: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
    options: { drainSeconds, adminListen: '127.0.0.1:0' },
  });

describe('a sidecar that stops', () => {
  test('completes running requests, reports that it is not ready, accepts nothing new and closes idle connections', async () => {
    const sidecar = await start(20);
    const { port, hostname } = new URL(sidecar.url);
    const idle = net.connect(Number(port), hostname);
    let isIdleClosed = false;
    idle.on('close', () => (isIdleClosed = true)).on('error', () => undefined);
    idle.write(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    await new Promise((done) => idle.once('data', done));
    const pendingAnswer = request(sidecar.url, { path: '/hold-1' });
    await expect.poll(() => [...heldResponses.keys()]).toContain('/hold-1');
    const stopping = sidecar.stop();
    await expect
      .poll(async () => (await request(String(sidecar.admin), { path: '/readyz' })).status)
      .toBe(503);
    expect((await request(String(sidecar.admin), { path: '/healthz' })).status).toBe(200);
    await expect.poll(() => isIdleClosed).toBe(true);
    expect((await request(sidecar.url)).status).toBe(0);
    heldResponses.get('/hold-1')?.end('whole');
    expect(await pendingAnswer).toMatchObject({ status: 200, body: 'whole' });
    await stopping;
  });

  test('aborts requests that have not ended in time', async () => {
    const sidecar = await start(1);
    const pendingAnswer = request(sidecar.url, { path: '/hold-2' });
    await expect.poll(() => [...heldResponses.keys()]).toContain('/hold-2');
    await sidecar.stop();
    expect((await pendingAnswer).status).toBe(0);
  });
});
