import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('secret-literal', {
  finds: [
    ['keys written out', signIn(directory + '\nkeys: { signing: abcdef, encryption: abcdef }')],
    [
      'the secret of an app of the social provider written out',
      signIn('providers: { social: { appId: a, appSecret: plain } }'),
    ],
  ],
});
