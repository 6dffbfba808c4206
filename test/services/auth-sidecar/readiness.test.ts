import fs from 'node:fs';
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  urlWithoutSecrets,
  reasonOf,
} from '../../../services/auth-sidecar/operations/external-call-error.js';
import type { Readiness } from '../../../services/auth-sidecar/operations/readiness.js';
import { freePort } from '../../support/ports.js';
import {
  directoryConfig,
  type SidecarUnderTest,
  type StartShape,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, request } from './support/raw-client.js';

let idp: TestIdentityProvider;
let app: Server;
let url: string;
beforeEach(async () => {
  idp = await new TestIdentityProvider().start();
  app = http.createServer((_, response) => response.end('app'));
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
});
afterEach(async () => {
  app.closeAllConnections();
  await new Promise((done) => app.close(done));
  await idp.close();
});

const start = (options: StartShape['options'] = {}): Promise<SidecarUnderTest> =>
  startUnderTest({
    config: directoryConfig(idp),
    upstream: url,
    options: { adminListen: '127.0.0.1:0', ...options },
  });

async function readReadiness(
  sidecar: SidecarUnderTest,
): Promise<{ status: number; body: Readiness }> {
  const answer = await request(String(sidecar.admin), { path: '/readyz' });
  return { status: answer.status, body: JSON.parse(answer.body) as Readiness };
}

describe('readiness', () => {
  test('reports what is up, with addresses', async () => {
    const sidecar = await start();
    expect(await readReadiness(sidecar)).toEqual({
      status: 200,
      body: {
        status: 'ready',
        down: [],
        checks: {
          tokenStore: { up: true, counts: true, address: 'memory:' },
          upstream: { up: true, counts: false, address: url },
          keySet: [{ up: true, counts: false, address: `${idp.url}/keys` }],
        },
      },
    });
    await sidecar.stop();
  });

  test('reports what is down, and depends only on the token store by default', async () => {
    const sidecar = await start();
    await idp.close();
    await new Promise((done) => app.close(done));
    const { status, body } = await readReadiness(sidecar);
    expect([status, body.down]).toEqual([200, ['upstream', 'keySet']]);
    expect(body.checks).toMatchObject({
      upstream: { up: false, counts: false, error: 'ECONNREFUSED', address: url },
      keySet: [
        {
          up: false,
          counts: false,
          error: 'provider_unreachable',
          address: `${idp.url}/.well-known/openid-configuration`,
        },
      ],
    });
    await sidecar.stop();
  });

  test.each([
    [['upstream'], 503],
    [['key-set'], 503],
    [['token-store', 'upstream', 'key-set'], 503],
    [['token-store'], 200],
    [[], 200],
  ] as const)(
    'depends on what it is asked to depend on: %j gives %i while app and provider are down',
    async (readyWhen, status) => {
      const sidecar = await start({ readyWhen });
      expect((await request(String(sidecar.admin), { path: '/readyz' })).status).toBe(200);
      await sidecar.stop();
      await idp.close();
      await new Promise((done) => app.close(done));
      const alone = await start({ readyWhen });
      expect((await readReadiness(alone)).status).toBe(status);
      await alone.stop();
    },
  );

  test('known keys stay in use while the provider is down', async () => {
    const sidecar = await start({ readyWhen: ['key-set'] });
    expect((await readReadiness(sidecar)).status).toBe(200);
    await idp.close();
    expect((await readReadiness(sidecar)).status).toBe(200);
    await sidecar.stop();
  });

  test('does not wait long for a hanging server', async () => {
    await idp.close();
    const hanging = http.createServer(() => undefined);
    await new Promise<void>((done) =>
      hanging.listen(Number(new URL(idp.url).port), '127.0.0.1', done),
    );
    const sidecar = await start({ readyWhen: ['key-set'] });
    const before = Date.now();
    const { status, body } = await readReadiness(sidecar);
    expect([status, body.down]).toEqual([503, ['keySet']]);
    expect(Date.now() - before).toBeLessThan(4000);
    hanging.closeAllConnections();
    await new Promise((done) => hanging.close(done));
    await sidecar.stop();
  });

  test('reports no upstream where there is no app', async () => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp),
      options: { adminListen: '127.0.0.1:0', readyWhen: ['upstream'] },
    });
    const { status, body } = await readReadiness(sidecar);
    expect([status, Object.keys(body.checks)]).toEqual([200, ['tokenStore', 'keySet']]);
    await sidecar.stop();
  });
});

describe('the log', () => {
  test('names the address that did not answer, without query, user and password', async () => {
    const writtenTexts: string[] = [];
    const write = vi.spyOn(fs, 'write').mockImplementation(((
      _: number,
      text: string,
      ...rest: unknown[]
    ) => {
      writtenTexts.push(text);
      setImmediate(() =>
        (rest.at(-1) as (error: null, bytes: number) => void)(null, Buffer.byteLength(text)),
      );
    }) as never);
    const port = await freePort();
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { globalValidation: { excludedPaths: ['/open'] } }),
      upstream: `http://127.0.0.1:${port}`,
      options: { logLevel: 'warn' },
    });
    await idp.close();
    expect((await request(sidecar.url, { path: '/open?secret=1' })).status).toBe(502);
    expect(
      (
        await request(sidecar.url, {
          path: '/.auth/login/directory?login_hint=secret',
          headers: { ...browser },
        })
      ).status,
    ).toBe(502);
    await sidecar.stop();
    write.mockRestore();
    const lines = writtenTexts
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'the app did not answer',
        address: `http://127.0.0.1:${port}`,
        code: 'ECONNREFUSED',
      }),
      expect.objectContaining({
        msg: 'the identity provider did not answer',
        address: `${idp.url}/.well-known/openid-configuration`,
        code: 'ECONNREFUSED',
      }),
    ]);
    expect(writtenTexts.join('')).not.toContain('secret');
  });

  test('names the blob container of the tokens when it is down', async () => {
    const port = await freePort();
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, {
        login: { tokenStore: { enabled: true, azureBlobStorage: { sasUrlSettingName: 'sas' } } },
      }),
      upstream: url,
      secrets: { sas: `http://127.0.0.1:${port}/tokens?sig=hush` },
      options: { adminListen: '127.0.0.1:0' },
    });
    const { status, body } = await readReadiness(sidecar);
    expect([status, body.down, body.checks['tokenStore']]).toEqual([
      503,
      ['tokenStore'],
      {
        up: false,
        counts: true,
        address: `http://127.0.0.1:${port}/tokens/readiness`,
        error: 'ECONNREFUSED',
      },
    ]);
    await sidecar.stop();
  });

  test('names an error without a code by its class', () => {
    class SocketClosedUnexpectedlyError extends Error {}
    expect(reasonOf(new SocketClosedUnexpectedlyError('pass-word'))).toBe(
      'SocketClosedUnexpectedlyError',
    );
    expect(reasonOf(new DOMException('pass-word', 'AbortError'))).not.toContain('pass-word');
    expect(reasonOf(new Error('pass-word'))).toBe('Error');
    expect(reasonOf('pass-word')).toBe('unknown reason');
  });

  test.each([
    ['redis://user:pass-word@cache:6379/0', 'redis://cache:6379/0'],
    ['postgres://user:pass-word@db/x?sslpassword=pass-word', 'postgres://db/x'],
    ['https://store.example/tokens/a?sig=pass-word#pass-word', 'https://store.example/tokens/a'],
    ['sqlite:/var/lib/x.db', 'sqlite:/var/lib/x.db'],
    ['memory:', 'memory:'],
    ['redis://user:pass-word@[not-an-address', 'redis:'],
    ['redis://us/er:pass-word@host', 'redis://us'],
    ['redis-sentinel://:pass-word@a:1,b:2/main', 'redis-sentinel://a:1,b:2/main'],
    ['rediss-cluster://user:pass%40word@a:1,b:2', 'rediss-cluster://a:1,b:2'],
    ['redis-cluster://a:1', 'redis-cluster://a:1'],
    ['redis-sentinel://:pass@word@a:1,b:2/main', 'redis-sentinel:'],
    ['redis-sentinel://:pass/word@a:1,b:2/main', 'redis-sentinel:'],
  ])('shows %s as %s', (address, expected) => expect(urlWithoutSecrets(address)).toBe(expected));
});
