import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-allow-insecure', {
  finds: [
    [
      'plain HTTP on the way to sign-in',
      signIn(directory).replace('{ external: true }', '{ external: true, allowInsecure: true }'),
    ],
    [
      'sign-in over TCP',
      signIn(directory).replace('{ external: true }', '{ external: true, transport: tcp }'),
    ],
  ],
  passes: [["an app that plain HTTP doesn't reach", signIn(directory)]],
});
