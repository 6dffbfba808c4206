import { judge } from '../support/judge.js';
import { directory, signIn } from '../support/stacks.js';

judge('auth-nonce', {
  finds: [
    [
      "sign-ins that aren't tied to their browser",
      signIn(directory + '\nnonce: { validate: false }'),
    ],
  ],
});
