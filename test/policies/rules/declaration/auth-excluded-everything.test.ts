import { judge } from '../support/judge.js';
import { directory, signIn } from '../support/stacks.js';

judge('auth-excluded-everything', {
  finds: [
    ['every path', signIn(directory + '\nexcludedPaths: ["/*"]')],
    ['the root, of which the cloud says nothing', signIn(directory + '\nexcludedPaths: [/]')],
  ],
  passes: [['a folder', signIn(directory + '\nexcludedPaths: [/public/*]')]],
});
