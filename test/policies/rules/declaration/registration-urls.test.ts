import { testRule } from '../support/test-rule.js';

testRule('registration-urls', {
  finds: [
    [
      'a sign-out address over FTP',
      'registrations: { l: { displayName: L, logoutUrl: "ftp://x" } }',
    ],
    [
      "a home page that isn't an address",
      'registrations: { l: { displayName: L, homepageUrl: "nonsense" } }',
    ],
  ],
});
