import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

testRule('auth-open-id-provider', {
  finds: [
    [
      'a custom provider with the name of a built-in one',
      signIn(
        'providers: { openIdConnect: { google: { clientId: a, clientSecret: "${env:S}", wellKnownConfiguration: "https://x/y" } } }',
      ),
    ],
    [
      'two custom providers with one name in other letter case',
      signIn(
        'redirectTo: partner\nproviders: { openIdConnect: { partner: { clientId: a, clientSecret: "${env:S}", wellKnownConfiguration: "https://x/y" }, Partner: { clientId: a, clientSecret: "${env:S}", wellKnownConfiguration: "https://x/y" } } }',
      ),
    ],
  ],
});
