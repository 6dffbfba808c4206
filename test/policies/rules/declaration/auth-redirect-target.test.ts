import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

const twoProviders =
  'codehost: { clientId: a, clientSecret: "${env:S}" }, search: { clientId: a, clientSecret: "${env:S}" }';

testRule('auth-redirect-target', {
  finds: [
    [
      "a provider to redirect to that the app doesn't have",
      signIn(`redirectTo: serch\nproviders: { ${twoProviders} }`),
    ],
    ['two providers, and none to redirect to', signIn(`providers: { ${twoProviders} }`)],
    [
      'only providers that are switched off',
      signIn('providers: { codehost: { enabled: false, clientId: a, clientSecret: "${env:S}" } }'),
    ],
  ],
  passes: [
    [
      'two providers, and one to redirect to',
      signIn(`redirectTo: search\nproviders: { ${twoProviders} }`),
    ],
    [
      'two providers, and nothing to redirect',
      signIn(`unauthenticatedAction: return401\nproviders: { ${twoProviders} }`),
    ],
  ],
});
