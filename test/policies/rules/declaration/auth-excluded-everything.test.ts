import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-excluded-everything', {
  finds: [
    ['every path', signIn(directory + '\nexcludedPaths: ["/*"]')],
    ['the root, of which the cloud says nothing', signIn(directory + '\nexcludedPaths: [/]')],
  ],
  passes: [['a folder', signIn(directory + '\nexcludedPaths: [/public/*]')]],
});
