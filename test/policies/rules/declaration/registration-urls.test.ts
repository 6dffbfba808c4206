import { judge } from '../support/judge.js';

judge('registration-urls', {
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
