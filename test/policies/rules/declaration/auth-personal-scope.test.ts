import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

testRule('auth-personal-scope', {
  finds: [
    [
      'scopes without profile',
      signIn(
        'providers: { personal: { clientId: a, clientSecret: "${env:S}", scopes: [openid] } }',
      ),
    ],
  ],
  passes: [
    [
      'scopes with openid and profile',
      signIn(
        'providers: { personal: { clientId: a, clientSecret: "${env:S}", scopes: [openid, profile] } }',
      ),
    ],
  ],
});
