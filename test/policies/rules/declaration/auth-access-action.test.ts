import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-access-action', {
  finds: [
    [
      'the words of the portal in place of the setting',
      signIn('restrictAccess: Require authentication\n' + directory),
    ],
    [
      "an answer that the sign-in layer doesn't have",
      signIn('unauthenticatedAction: return404\n' + directory),
    ],
  ],
});
