import { type ChildProcess, spawn } from 'node:child_process';
import { freePort, waitUntilReachable } from '../../support/ports.js';
import { cookie } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { CookieJar, request, type RawAnswer } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

/**
 * The advisories of docs/security/advisories.md that apply to oauth2-proxy, tried on its newest
 * release: `go install github.com/oauth2-proxy/oauth2-proxy/v7@latest`, nightly.
 */
const program = process.env['CASTELLAN_OAUTH2_PROXY'];

describe.skipIf(program === undefined)(
  `oauth2-proxy${program === undefined ? ' (skipped: CASTELLAN_OAUTH2_PROXY is not set)' : ''}`,
  () => {
    const idp = new TestIdentityProvider();
    const running: ChildProcess[] = [];
    let app: RecordingApp;
    let url = '';
    beforeAll(async () => {
      await idp.start();
      app = await startRecordingApp();
      const port = await freePort();
      url = `http://127.0.0.1:${String(port)}`;
      const flags = {
        'http-address': `127.0.0.1:${String(port)}`,
        provider: 'oidc',
        'oidc-issuer-url': idp.url,
        'redirect-url': `${url}/oauth2/callback`,
        'client-id': idp.clientId,
        'client-secret': idp.secret,
        'cookie-secret': '0123456789abcdef0123456789abcdef',
        'cookie-secure': 'false',
        'email-domain': 'corp.example',
        upstream: app.url,
        'skip-auth-route': 'GET=^/public',
        'ping-user-agent': 'GoogleHC/1.0',
      };
      const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
      running.push(spawn(program ?? '', args, { stdio: 'ignore' }));
      await waitUntilReachable(port);
    });
    afterAll(async () => {
      for (const each of running) each.kill('SIGKILL');
      await app.close();
      await idp.close();
    });
    beforeEach(() => app.clear());

    const get = (path: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
      request(url, { path, headers });
    /** Whether the app got a request. */
    const reachesApp = async (path: string, headers: Record<string, string> = {}) => {
      await get(path, headers);
      return app.requests.length > 0;
    };
    async function signIn(email: string, jar = new CookieJar()) {
      idp.claims = { email, email_verified: true };
      idp.user = { sub: 'subject-1', groups: ['g'], ...idp.claims };
      const start = await get('/oauth2/start?rd=/private', { ...cookie(jar) });
      jar.take(start);
      const { pathname, search } = new URL(
        idp.authorize(new URL(start.headers['location']?.[0] ?? '')),
      );
      const callbackAnswer = await get(pathname + search, { ...cookie(jar) });
      jar.take(callbackAnswer);
      return { jar, callbackAnswer };
    }

    test('lets in who signs in, and everyone to /public only', async () => {
      expect(await reachesApp('/public')).toBe(true);
      app.clear();
      expect(await reachesApp('/private')).toBe(false);
      const { jar } = await signIn('ada@corp.example');
      expect(await reachesApp('/private', { ...cookie(jar) })).toBe(true);
    });

    test.each(['/private?x=/public', '/private?/public', '/?/public'])(
      'GHSA-7rh7-c77v-6434: %s needs a sign-in',
      async (path) => expect(await reachesApp(path)).toBe(false),
    );

    test('CVE-2025-64484: X_Forwarded_User of a client does not reach the app', async () => {
      const { jar } = await signIn('ada@corp.example');
      await get('/private', {
        ...cookie(jar),
        X_Forwarded_User: 'root',
        'X-Forwarded_Email': 'root',
      });
      expect(app.requests).toHaveLength(1);
      expect(app.bytes()).not.toContain('root');
    });

    test("CVE-2026-40575: a client's X-Forwarded-Uri does not decide", async () => {
      expect((await get('/oauth2/auth', { 'X-Forwarded-Uri': '/public' })).status).toBe(401);
      expect(await reachesApp('/private', { 'X-Forwarded-Uri': '/public' })).toBe(false);
    });

    test('CVE-2026-34457: the User-Agent of a health checker does not reach the app', async () => {
      expect(await reachesApp('/private', { 'User-Agent': 'GoogleHC/1.0' })).toBe(false);
    });

    test.each(['/public#/../private', '/private#/public', '/private%23/public'])(
      'CVE-2026-41059: %s does not reach /private',
      async (path) => {
        await get(path);
        expect(app.requests.map(({ url: target }) => target)).not.toContain('/private');
      },
    );

    test('CVE-2026-40574: an address with two @ has no domain', async () => {
      const { jar } = await signIn('a@evil@corp.example');
      expect(await reachesApp('/private', { ...cookie(jar) })).toBe(false);
    });

    test('CVE-2026-34454: the sign-in page clears the earlier session', async () => {
      const { jar } = await signIn('ada@corp.example');
      const { headers } = await get('/oauth2/sign_in', { ...cookie(jar) });
      expect(headers['set-cookie']).toContainEqual(expect.stringMatching(/^_oauth2_proxy=;/));
    });
  },
);
