import { Hosting } from '../../../sandbox/hosting/hosting.js';
import type { HostingContext } from '../../../sandbox/hosting/hosting-context.js';
import { signInPrefixOf } from '../../../sandbox/hosting/sign-in-prefix.js';

test.each([
  [undefined, '/.auth'],
  [{ platform: { enabled: true } }, '/.auth'],
  [{ httpSettings: { requireHttps: true } }, '/.auth'],
  [{ httpSettings: { routes: { apiPrefix: '/signin/' } } }, '/signin'],
])('the sign-in layer with the setting %j answers below %s', (auth, prefix) => {
  expect(signInPrefixOf(auth)).toBe(prefix);
});

test.each([
  ['web.localhost:8443', '/signin'],
  ['web---stage.localhost:8443', '/signin'],
  ['web--blue.localhost:8443', '/signin'],
  ['shop.example', '/signin'],
  ['other.localhost:8443', '/.auth'],
  ['localhost:8443', '/.auth'],
])('the sign-in layer of the app at %s answers below %s', (host, prefix) => {
  const hosting = new Hosting({} as HostingContext, {});
  // as if the app were hosted: none is started here
  vi.spyOn(hosting, 'findDeclared').mockImplementation((name) =>
    name === 'web'
      ? {
          id: '/web',
          name,
          properties: {},
          secrets: [],
          revisions: [],
          auth: { httpSettings: { routes: { apiPrefix: '/signin' } } },
        }
      : undefined,
  );
  vi.spyOn(hosting, 'appNameAt').mockImplementation((each) =>
    each === 'shop.example' ? 'web' : each?.replace(/\.?localhost:8443$/, ''),
  );
  expect(hosting.signInPrefixAt(host)).toBe(prefix);
});
