import { testRule } from '../support/test-rule.js';
import { directory, servedApp, signIn } from '../support/stacks.js';

testRule('auth-public-app', {
  finds: [
    ['an app that anyone reaches without sign-in', servedApp('')],
    [
      'an app whose sign-in lets everyone in',
      signIn(`restrictAccess: allowUnauthenticated\n${directory}`),
    ],
    ['an app whose sign-in is switched off', signIn(`enabled: false\n${directory}`)],
  ],
  passes: [
    ['an app with sign-in', signIn(directory)],
    [
      'an app that only some addresses reach',
      servedApp('').replace(
        '{ external: true }',
        '{ external: true, ipRestrictions: [ { name: a, action: allow, range: 203.0.113.0/24 } ] }',
      ),
    ],
  ],
});
