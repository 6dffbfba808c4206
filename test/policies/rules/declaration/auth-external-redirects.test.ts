import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-external-redirects', {
  finds: [
    [
      'a redirect to a script',
      signIn(directory + '\nallowedExternalRedirectUrls: ["javascript://x"]'),
    ],
    [
      'a redirect over plain HTTP',
      signIn(directory + '\nallowedExternalRedirectUrls: ["http://evil.example/"]'),
    ],
    [
      'a redirect to a script behind a space',
      signIn(directory + '\nallowedExternalRedirectUrls: [" javascript:x"]'),
    ],
    [
      'a redirect to a script with a line break in its scheme',
      signIn(directory + '\nallowedExternalRedirectUrls: ["java\\nscript:x"]'),
    ],
    [
      'a redirect over plain HTTP behind a space',
      signIn(directory + '\nallowedExternalRedirectUrls: [" http://evil.example/"]'),
    ],
    ['a redirect to any host', signIn(directory + '\nallowedExternalRedirectUrls: ["https://*"]')],
  ],
  passes: [
    [
      'redirects over HTTPS, to an app of a phone and to this machine',
      signIn(
        directory +
          '\nallowedExternalRedirectUrls: ["https://app.example/after", "myapp://done", "http://localhost:3000/"]',
      ),
    ],
  ],
});
