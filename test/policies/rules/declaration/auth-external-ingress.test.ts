import { judge } from '../support/judge.js';
import { directory, signIn } from '../support/stacks.js';

judge('auth-external-ingress', {
  finds: [
    [
      "sign-in of an app that browsers don't reach",
      signIn(directory).replace('{ external: true }', '{ external: false }'),
    ],
  ],
});
