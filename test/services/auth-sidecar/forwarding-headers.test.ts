import { directoryConfig, startUnderTest } from './support/harness.js';
import { SidecarPair } from './support/sidecar-pair.js';
import { request } from './support/raw-client.js';

const sidecars = new SidecarPair();
beforeAll(() => sidecars.start());
afterAll(() => sidecars.stop());
beforeEach(() => sidecars.app.clear());

describe('forwarding headers', () => {
  const spoofedHeaders = {
    'X-Forwarded-For': '1.2.3.4',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'https',
    X_Forwarded_For: '1.2.3.4',
    'X-Forwarded-Prefix': '/admin',
    'X-Forwarded-Uri': '/public',
    'X-Forwarded-Port': '1',
    Forwarded: 'for=1.2.3.4;host=evil.example',
    'X-Real-IP': '1.2.3.4',
    'X-Original-URL': '/admin',
    'X-Rewrite-Url': '/admin',
  };

  test('of strangers never reach the app and are ignored', async () => {
    expect((await request(sidecars.permissive.url, { headers: spoofedHeaders })).status).toBe(200);
    expect(sidecars.app.bytes()).not.toMatch(/1\.2\.3\.4|evil\.example|admin/);
    expect(sidecars.app.requests[0]?.headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(
      (await request(sidecars.restricted.url, { path: '/x', headers: spoofedHeaders })).status,
    ).toBe(401);
  });

  test.each([
    ['NoProxy', {}, 421],
    ['Standard', {}, 200],
    [
      'Custom',
      { customHostHeaderName: 'X-Forwarded-Host', customProtoHeaderName: 'X-Forwarded-Proto' },
      200,
    ],
  ])(
    'of a trusted proxy are used as the convention %s says',
    async (convention, headerNames, status) => {
      const sidecar = await startUnderTest({
        config: directoryConfig(sidecars.idp, {
          globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
          httpSettings: { forwardProxy: { convention, ...headerNames } },
        }),
        upstream: sidecars.app.url,
        options: {
          publicOrigins: ['https://app.example'],
          trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'],
        },
      });
      const headers = {
        Host: 'inner',
        'X-Forwarded-Host': 'app.example',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-For': '6.6.6.6, 9.9.9.9, 10.0.0.7',
      };
      const answer = await request(sidecar.url, { headers });
      expect(answer.status).toBe(status);
      if (status === 200) {
        expect(sidecars.app.requests[0]?.headers).toMatchObject({
          host: 'app.example',
          'x-forwarded-proto': 'https',
          'x-forwarded-for': '9.9.9.9, 10.0.0.7, 127.0.0.1',
        });
        const repeatedHost = await request(sidecar.url, {
          headers: { ...headers, 'X-Forwarded-Host': ['app.example', 'evil.example'] },
        });
        expect(repeatedHost.status).toBe(400);
      }
      await sidecar.stop();
    },
  );

  test.each([
    ['9.9.9.9:4711', '9.9.9.9'],
    ['6.6.6.6:1, 9.9.9.9:4711, 10.0.0.7:80', '9.9.9.9, 10.0.0.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[::ffff:9.9.9.9]:1', '9.9.9.9'],
    ['unknown:80', ''],
    ['[evil]:80', ''],
  ])('of a trusted proxy may name ports: %s', async (forwardedFor, hops) => {
    const sidecar = await startUnderTest({
      config: directoryConfig(sidecars.idp, {
        globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
        httpSettings: { forwardProxy: { convention: 'Standard' } },
      }),
      upstream: sidecars.app.url,
      options: { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] },
    });
    await request(sidecar.url, { headers: { 'X-Forwarded-For': forwardedFor } });
    expect(sidecars.app.requests[0]?.headers['x-forwarded-for']).toBe(
      hops === '' ? '127.0.0.1' : `${hops}, 127.0.0.1`,
    );
    await sidecar.stop();
  });

  test.each([
    [{ requireHttps: true }, [], {}, 307],
    [{ requireHttps: true }, ['127.0.0.1'], {}, 200],
    [{ requireHttps: false }, [], {}, 200],
    [{}, [], {}, 200],
    [
      { forwardProxy: { convention: 'Standard' } },
      ['127.0.0.1'],
      { 'X-Forwarded-Proto': 'http' },
      307,
    ],
    [
      { forwardProxy: { convention: 'Standard' } },
      ['127.0.0.1'],
      { 'X-Forwarded-Proto': 'https' },
      200,
    ],
  ])(
    'a request over http with %j, trusting %j, with the headers %j, is answered %i',
    async (httpSettings, trustedProxies, headers, status) => {
      const sidecar = await startUnderTest({
        config: directoryConfig(sidecars.idp, {
          globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
          httpSettings,
        }),
        upstream: sidecars.app.url,
        options: { publicOrigins: ['https://app.example'], trustedProxies },
      });
      const answer = await request(sidecar.url, {
        path: '/a%20b//c?x=%2e&y',
        headers: { Host: 'app.example', ...headers },
      });
      expect(answer.status).toBe(status);
      if (status === 307)
        expect(answer.headers['location']).toEqual(['https://app.example/a%20b//c?x=%2e&y']);
      await sidecar.stop();
    },
  );
});
