import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-external-ingress', {
  finds: [
    [
      "sign-in of an app that browsers don't reach",
      signIn(directory).replace('{ external: true }', '{ external: false }'),
    ],
  ],
});
