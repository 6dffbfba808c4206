import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

const codehost = 'providers: { codehost: { clientId: a, clientSecret: "${env:S}" } }';

testRule('auth-open-provider', {
  finds: [
    ['a code host, at which anyone gets an account', signIn(codehost)],
    ['a social network', signIn('providers: { social: { appId: a, appSecret: "${env:S}" } }')],
    [
      'personal accounts',
      signIn('providers: { personal: { clientId: a, clientSecret: "${env:S}" } }'),
    ],
  ],
  passes: [
    ['the directory', signIn(directory)],
    [
      'a provider that is off',
      signIn(
        directory.replace(
          '} }',
          '}, codehost: { enabled: false, clientId: a, clientSecret: "${env:S}" } }',
        ),
      ),
    ],
  ],
});
