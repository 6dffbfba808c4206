import { testRule } from '../support/test-rule.js';
import { directory, servedApp, signIn } from '../support/stacks.js';

/** An app without sign-in, with rules for addresses. */
function withAddressRules(rules: string): string {
  return servedApp('').replace(
    '{ external: true }',
    `{ external: true, ipRestrictions: [ ${rules} ] }`,
  );
}

testRule('auth-public-app', {
  finds: [
    ['an app that anyone reaches without sign-in', servedApp('')],
    [
      'an app whose sign-in lets everyone in',
      signIn(`restrictAccess: allowUnauthenticated\n${directory}`),
    ],
    ['an app whose sign-in is switched off', signIn(`enabled: false\n${directory}`)],
    [
      'an app that all addresses but some reach',
      withAddressRules('{ name: a, action: deny, range: 203.0.113.0/24 }'),
    ],
    [
      'an app that the range of all addresses reaches',
      withAddressRules(
        '{ name: a, action: allow, range: 203.0.113.0/24 }, { name: b, action: allow, range: 0.0.0.0/0 }',
      ),
    ],
  ],
  passes: [
    ['an app with sign-in', signIn(directory)],
    [
      'an app that only some addresses reach',
      withAddressRules('{ name: a, action: allow, range: 203.0.113.0/24 }'),
    ],
    [
      'an app that no address reaches',
      withAddressRules('{ name: a, action: deny, range: 0.0.0.0/0 }'),
    ],
  ],
});
