import {
  isOtherSpelling,
  parseTarget,
} from '../../../services/auth-sidecar/http/request-target.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { SidecarPair } from './support/sidecar-pair.js';
import { type CookieJar, parseAnswer, request, sendRaw } from './support/raw-client.js';

const sidecars = new SidecarPair();
let jar: CookieJar;
beforeAll(async () => {
  await sidecars.start();
  jar = (await signIn(sidecars.restricted, sidecars.idp)).jar;
});
afterAll(() => sidecars.stop());
beforeEach(() => sidecars.app.clear());

describe('request targets', () => {
  const refusedTargets = [
    'http://evil.example/admin',
    `http://127.0.0.1/`,
    'evil.example:443',
    '*',
    '//evil.example/x',
    '/a/../b',
    '/a/./b',
    '/..',
    '/a/..;/b',
    '/a/%2e%2e/b',
    '/a/%2E./b',
    '/a/..%2fb',
    '/a/..%5cb',
    '/a/%252e%252e/b',
    '/a/%25252e%25252e%25252fb',
    '/a\\..\\b',
    '/a#b',
    '/a%00b',
    '/a%0d%0ab',
    '/a%250ab',
    '/a%7f',
    '/%c0%ae%c0%ae/b',
    '/%e0%80%af',
    '/%c1%9c',
    '/%ff',
    '/a%zz',
    '/a%2',
    '/a?x#y',
  ];

  test.each(refusedTargets)('%s is refused and nothing reaches the app', async (path) => {
    for (const sidecar of [sidecars.permissive, sidecars.restricted]) {
      const answer = await request(sidecar.url, { path, headers: cookie(jar) });
      expect(answer.status).toBe(400);
    }
    expect(sidecars.app.requests).toEqual([]);
  });

  test.each([
    '/a%2Fb',
    '/@scope%2fpackage',
    '/a//b',
    '/a;v=1/b',
    '/%C3%A9',
    '/a%20b?x=%2e%2e/&y=\\',
    "/!$&'()*+,=:@",
    '/a%25b',
    '/.well-known/x',
    '/...',
    '/a?b?c',
  ])('%s is forwarded byte for byte', async (path) => {
    expect((await request(sidecars.restricted.url, { path, headers: cookie(jar) })).status).toBe(
      200,
    );
    expect(sidecars.app.requests[0]?.url).toBe(path);
  });

  test.each([
    '/.AUTH/me',
    '/.Auth',
    '/%2eauth/me',
    '/%2Eauth',
    '/.%61uth/login',
    '/.auth%2fme',
    '/.auth%5cme',
    '/.auth;x/me',
    '/x//..%2f.auth',
    '/%252eauth/me',
    '/.auth//me',
    '/.auth./me',
    '/.auth%20/me',
    '/%E2%80%A5/.auth/me',
    '/.auth/',
    '/.auth',
    '/.auth/unknown',
    '/.auth/me/',
    '/.auth/login/nobody',
    '/.auth/login/directory/callback/x',
    '/.auth/login/directory/other',
  ])('%s is not forwarded, since the app might read it as a path of the sidecar', async (path) => {
    for (const sidecar of [sidecars.permissive, sidecars.restricted]) {
      const answer = await request(sidecar.url, { path, headers: cookie(jar) });
      expect([400, 404]).toContain(answer.status);
    }
    expect(sidecars.app.requests).toEqual([]);
  });

  test.each([
    '/public',
    '/public/',
    '/public/a/b',
    '/PUBLIC/x',
    '/Public?x=/secret',
    '/health/live',
    '/',
  ])('%s is excluded from sign-in', async (path) => {
    expect((await request(sidecars.restricted.url, { path })).status).toBe(200);
    expect(sidecars.app.requests[0]?.url).toBe(path);
  });

  test.each([
    '/publicity',
    '/secret?/public',
    '/secret/public',
    '/health',
    '/public%2f..%2fsecret',
    '/public/..%2fsecret',
    '/public%2fx',
    '/public//x',
    '/public/;x',
    '/pub%6cic',
    '/public%3b/x',
    '/publi%63/x',
    '/x',
    // full-width letters that an app may normalize to %2e%2e, ;, ?, # and //
    '/public/%ef%bc%852e%ef%bc%852e/x',
    '/public/%ef%bc%9bx',
    '/public/%ef%bc%9fx',
    '/public/%ef%bc%83x',
    '/public/%ef%bc%8f%ef%bc%8fx',
  ])('%s is not excluded from sign-in', async (path) => {
    expect([400, 401]).toContain((await request(sidecars.restricted.url, { path })).status);
    expect(sidecars.app.requests).toEqual([]);
  });

  test.each(['TRACE', 'TRACK', 'CONNECT'])('%s is refused', async (method) => {
    const target = method === 'CONNECT' ? 'internal:80' : '/public';
    expect(
      parseAnswer(
        await sendRaw(sidecars.restricted.url, `${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`),
      ).status,
    ).toBeGreaterThanOrEqual(400);
    expect(sidecars.app.requests).toEqual([]);
  });
});

test.each([`/!${'.'.repeat(15_000)}x`, `/a%252525252e${'.'.repeat(15_000)}x`])(
  'the longest paths take milliseconds to read (%#)',
  (path) => {
    const start = performance.now();
    for (let round = 0; round < 10; round++)
      expect(isOtherSpelling(parseTarget(path), '/.auth')).toBe(false);
    expect(performance.now() - start).toBeLessThan(1500);
  },
);

describe('hosts', () => {
  test.each([
    ['another host', 'evil.example'],
    ['a host with a trailing dot', '127.0.0.1.'],
    ['a host of ours behind userinfo', 'x@127.0.0.1'],
    ['an empty host', ''],
  ])('%s gets 421', async (_, host) => {
    expect(
      parseAnswer(
        await sendRaw(
          sidecars.permissive.url,
          `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        ),
      ).status,
    ).toBe(421);
    expect(sidecars.app.requests).toEqual([]);
  });

  test('two hosts are refused', async () => {
    const answer = await sendRaw(
      sidecars.permissive.url,
      `GET / HTTP/1.1\r\nHost: ${sidecars.host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    expect(parseAnswer(answer).status).toBe(400);
    expect(sidecars.app.requests).toEqual([]);
  });

  test('letter case is ignored', async () => {
    const sidecar = await startUnderTest({
      config: directoryConfig(sidecars.idp, {
        globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
      }),
      upstream: sidecars.app.url,
      options: { publicOrigins: ['https://App.Example', 'https://other.example:8443'] },
    });
    expect((await request(sidecar.url, { headers: { Host: 'APP.example' } })).status).toBe(200);
    expect((await request(sidecar.url, { headers: { Host: 'other.example:8443' } })).status).toBe(
      200,
    );
    expect((await request(sidecar.url, { headers: { Host: 'other.example' } })).status).toBe(421);
    expect(
      (await request(sidecar.url, { headers: { Host: new URL(sidecar.url).host } })).status,
    ).toBe(421);
    await sidecar.stop();
  });
});
