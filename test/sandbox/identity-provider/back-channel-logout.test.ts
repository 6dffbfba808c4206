import { backChannelLogoutUri } from '../../../sandbox/identity-provider/back-channel-logout.js';

test.each([
  [
    ['https://shop.localhost/.auth/login/aad/callback'],
    'https://shop.localhost/.auth/logout/backchannel',
  ],
  [
    ['http://127.0.0.1/login/x/callback', 'https://a.example/in/login/x/callback'],
    'https://a.example/in/logout/backchannel',
  ],
  [['https://a.example/signin-oidc'], undefined],
])('an application with the redirect URIs %j is told at %s', (uris, address) => {
  expect(backChannelLogoutUri(uris)).toBe(address);
});
