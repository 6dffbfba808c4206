import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-nonce', {
  finds: [
    [
      "sign-ins that aren't tied to their browser",
      signIn(directory + '\nnonce: { validate: false }'),
    ],
  ],
});
