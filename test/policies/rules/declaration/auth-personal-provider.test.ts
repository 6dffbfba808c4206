import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-personal-provider', {
  finds: [
    [
      "personal accounts, which published settings of container apps don't have",
      signIn('providers: { personal: { clientId: a, clientSecret: "${env:S}" } }'),
    ],
  ],
  passes: [['the directory', signIn(directory)]],
});
