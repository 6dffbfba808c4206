import { testRule } from '../support/test-rule.js';
import { directory, group, signIn, workspace } from '../support/stacks.js';

testRule('property-required', {
  finds: [
    ['a group without a name', group('kind: security')],
    ['an eventhouse without a name', `${workspace}\neventhouses: { e: { workspace: w } }`],
    [
      'a key to sign with, and none to encrypt with',
      signIn(directory + '\nkeys: { signing: "${env:A}" }'),
    ],
  ],
});
