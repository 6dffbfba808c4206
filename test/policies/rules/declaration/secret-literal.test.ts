import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('secret-literal', {
  finds: [
    ['keys written out', signIn(directory + '\nkeys: { signing: abcdef, encryption: abcdef }')],
    [
      'the secret of an app of the social provider written out',
      signIn('providers: { social: { appId: a, appSecret: plain } }'),
    ],
    [
      'a secret written out below a name that is not allowed',
      'containerApps: { web: { image: "x:1", targetPort: 80, secrets: { "Bad Name": plain } } }',
    ],
  ],
  passes: [
    [
      'a secret that is a variable',
      'containerApps: { web: { image: "x:1", targetPort: 80, secrets: { key: "${env:KEY}" } } }',
    ],
  ],
});
