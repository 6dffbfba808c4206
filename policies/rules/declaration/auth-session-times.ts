import { defineRule } from '../../engine/rule.js';

export const authSessionTimes = defineRule({
  id: 'auth-session-times',
  title: 'Session and sign-in times are longer than zero and are set only where they apply.',
  why: 'People would be signed out at once and redirected to sign in endlessly; a time that the convention ignores misleads.',
  severity: 'warning',
  source:
    'Sign-in rules, "What the service does" 4 (the session); the cloud\'s authConfigs (login.cookieExpiration, login.nonce)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reportsSchemaMistakesOf: [
    {
      path: 'auth.cookieExpiration.timeToExpiration',
      keywords: ['validate'],
      messageIds: { validate: 'zero' },
      severity: 'error',
    },
    {
      path: 'auth.nonce.expirationInterval',
      keywords: ['validate'],
      messageIds: { validate: 'zero' },
      severity: 'error',
    },
  ],
  reads: ['auth.cookieExpiration', 'auth.nonce'],
  messages: {
    zero: '{given} is zero; it must be longer',
    derived:
      'timeToExpiration has no effect: the convention {given} takes the end of the session from the provider',
    unchecked: 'expirationInterval has no effect: validate is false',
  },
  check({ value }, context) {
    const { cookieExpiration: cookie, nonce } = value.auth ?? {};
    const report = (messageId: string, path: readonly string[], parameters: object = {}): void =>
      context.report({
        messageId,
        path: ['auth', ...path],
        parameters: { property: path.at(-1), ...parameters },
      });
    if (cookie?.convention === 'identityProviderDerived' && cookie.timeToExpiration !== undefined)
      report('derived', ['cookieExpiration', 'timeToExpiration'], { given: cookie.convention });
    if (nonce?.validate === false && nonce.expirationInterval !== undefined)
      report('unchecked', ['nonce', 'expirationInterval']);
  },
});
