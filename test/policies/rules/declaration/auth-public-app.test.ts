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
    [
      'an app that all addresses reach by ranges of their halves',
      withAddressRules(
        '{ name: a, action: allow, range: 128.0.0.0/1 }, { name: b, action: allow, range: 0.0.0.0/1 }',
      ),
    ],
    [
      'an app that all addresses reach by ranges of different size, some of them within others',
      withAddressRules(
        ['192.0.0.0/2', '0.0.0.0/1', '203.0.113.7', '128.0.0.0/2', '10.0.0.0/8']
          .map((range, index) => `{ name: r${String(index)}, action: allow, range: ${range} }`)
          .join(', '),
      ),
    ],
    [
      'an app that all addresses but a quarter reach',
      withAddressRules(
        '{ name: a, action: allow, range: 0.0.0.0/1 }, { name: b, action: allow, range: 192.0.0.0/2 }',
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
    [
      'an app that no address reaches, by ranges of the halves',
      withAddressRules(
        '{ name: a, action: deny, range: 0.0.0.0/1 }, { name: b, action: deny, range: 128.0.0.0/1 }',
      ),
    ],
    [
      'an app that private networks and those of an office reach, some of them within others',
      withAddressRules(
        ['10.0.0.0/8', '10.1.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '203.0.113.7']
          .map((range, index) => `{ name: r${String(index)}, action: allow, range: ${range} }`)
          .join(', '),
      ),
    ],
  ],
});
