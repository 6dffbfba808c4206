import fc from 'fast-check';
import { isAllowedLanding } from '../../../services/auth-sidecar/session/landing.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { request } from './support/raw-client.js';
import { startRecordingApp } from './support/recording-app.js';
import { runs } from '../../support/property-tests.js';

const origin = 'https://app.example';
const allowed = [
  { base: 'https://friend.example', path: '/welcome' },
  { base: 'myapp://auth', path: '/' },
];
const isAllowed = (landing: string): boolean => isAllowedLanding(landing, origin, allowed);

/**
 * Hundreds of ways to leave an app: each host behind each beginning that some browser or program
 * takes for an address.
 */
const beginnings = [
  '//',
  '///',
  '////',
  '/\\',
  '\\\\',
  '\\/',
  '/\t/',
  '/\n/',
  '/\r/',
  '/ /',
  '/\u000b/',
  '/%09/',
  '/%0a/',
  '/%0d/',
  '/%20/',
  '/%5c',
  '/%5C/',
  '/%2f',
  '/%2F/',
  '/%252f',
  '/./',
  '/.//',
  '/..//',
  '/../',
  '/./\\',
  '/;@',
  'http://',
  'https://',
  'HTTPS://',
  'https:/',
  'https:',
  'https:\\\\',
  'https:///',
  'javascript://',
  'data:text/html,',
  'ftp://',
  'https://app.example@',
  'https://app.example:x@',
  'https://app.example%40',
  'https://app.example.',
  'https://app.example%2f@',
  'https://app.example\\@',
  'https://app.example/\\@',
  'https://app.example#@',
  'https://app.exampleevil',
  '\u2028//',
  '\ufeff//',
  '\u00a0//',
  '/\u2028/',
  '//%0d%0a',
  '/%00/',
  '/%e2%80%a8/',
];
const hosts = [
  'evil.example',
  'evil.example/welcome',
  'evil.example%2fwelcome',
  'evil.example:443/',
  '127.1',
  '[::1]',
  'evil.example\\.app.example',
  'evil.example?x=/welcome',
];
const openRedirects = beginnings.flatMap((beginning) => hosts.map((host) => beginning + host));

describe('landings', () => {
  test.each([
    '/',
    '/a',
    '/a/b?c=d&e=//f',
    '/a#b',
    '/a%20b',
    '/%C3%A9',
    '/a%2Fb',
    '/.well-known/x',
    '/?next=https://evil.example',
    `${origin}/`,
    `${origin}/deep?x#y`,
    'https://APP.example/x',
    'https://friend.example/welcome',
    'https://friend.example/welcome?any=query',
    'myapp://auth',
  ])('%s is allowed', (landing) => {
    expect(isAllowed(landing)).toBe(true);
  });

  test.each([
    '',
    'a',
    '?x',
    '#x',
    'https://friend.example/',
    'https://friend.example/welcome/x',
    'https://friend.example/welcome.evil',
    'https://friend.example:444/welcome',
    'http://friend.example/welcome',
    'https://x@friend.example/welcome',
    'https://friend.example/a/../welcome2',
    'otherapp://auth',
    'myapp://auth2',
    `/${'a'.repeat(3000)}`,
    'http://app.example/',
    'https://sub.app.example/',
  ])('%s is not allowed', (landing) => {
    expect(isAllowed(landing)).toBe(false);
  });

  test(`none of ${openRedirects.length} open redirects is allowed`, () => {
    // What still is a path of this origin for every browser is no way out.
    const allowedElsewhere = openRedirects
      .filter((landing) => isAllowed(landing))
      .filter((landing) => !staysHome(landing));
    expect(allowedElsewhere).toEqual([]);
    expect(openRedirects.filter(isAllowed).length).toBeLessThan(openRedirects.length / 8);
  });

  test('every allowed landing is on this origin or the allowed list', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '%2f',
      '%5c',
      '%09',
      '%2e',
      'https:',
      'evil.example',
      'app.example',
      '?',
      '#',
      ';',
      '\t',
      '\n',
      ' ',
      'a',
      'friend.example',
      'welcome',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        const landing = parts.join('');
        return (
          !isAllowed(landing) ||
          staysHome(landing) ||
          landing.startsWith('https://friend.example/welcome')
        );
      }),
      { numRuns: runs(1000) },
    );
  });
});

function staysHome(landing: string): boolean {
  const spellings = [landing, safeDecode(landing), safeDecode(safeDecode(landing))];
  return spellings.every((each) => new URL(each, `${origin}/base`).origin === origin);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not an encoding: no program decodes it
  }
}

describe('a running sidecar', () => {
  test('never sends a browser elsewhere, neither after signing in nor after signing out', async () => {
    const idp = await new TestIdentityProvider().start();
    const app = await startRecordingApp();
    const sidecar = await startUnderTest({ config: directoryConfig(idp), upstream: app.url });
    const host = new URL(sidecar.url).host;
    for (const landing of openRedirects.filter((_, index) => index % 6 === 0)) {
      const query = encodeURIComponent(landing);
      const login = await request(sidecar.url, {
        path: `/.auth/login/directory?post_login_redirect_uri=${query}`,
      });
      expect([302, 400]).toContain(login.status);
      const logout = await request(sidecar.url, {
        path: `/.auth/logout?post_logout_redirect_uri=${query}`,
      });
      const location = logout.headers['location']?.[0] ?? '';
      expect(new URL(location, sidecar.url).host).toBe(host);
      expect(location).toMatch(/^\/(?![/\\])/);
    }
    await sidecar.stop();
    await app.close();
    await idp.close();
  });

  test.each([
    '/.auth/logout',
    '/.AUTH/logout',
    '/sign-out',
    'ORIGIN/.auth/logout',
    'HTTP://HOST/.auth/logout',
    'ORIGIN/sign-out',
    'ORIGIN/x/../.auth/logout',
    '/x/%2e%2e/.auth/logout',
  ])('never sends a browser to a path of its own, which would sign out again: %s', async (text) => {
    const idp = await new TestIdentityProvider().start();
    const app = await startRecordingApp();
    const login = { routes: { logoutEndpoint: '/sign-out' } };
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login }),
      upstream: app.url,
    });
    const { url } = sidecar;
    const landing = text.replace('ORIGIN', url).replace('HOST', new URL(url).host);
    const { jar, callbackAnswer } = await signIn(
      sidecar,
      idp,
      `/.auth/login/directory?post_login_redirect_uri=${encodeURIComponent(landing)}`,
    );
    expect(callbackAnswer.headers['location']).toEqual(['/']);
    expect((await request(url, { headers: cookie(jar) })).status).toBe(200);
    await sidecar.stop();
    await app.close();
    await idp.close();
  });
});
