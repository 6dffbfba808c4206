import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-session-times', {
  finds: [
    [
      'a session of no length',
      signIn(directory + '\ncookieExpiration: { timeToExpiration: "00:00:00" }'),
    ],
    [
      'a length of the session that the provider decides',
      signIn(
        directory +
          '\ncookieExpiration: { convention: identityProviderDerived, timeToExpiration: "08:00:00" }',
      ),
    ],
    ['a sign-in of no length', signIn(directory + '\nnonce: { expirationInterval: "00:00:00" }')],
  ],
});
