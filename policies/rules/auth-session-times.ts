import { defineRule } from '../engine/rule.js';

/** Sessions and sign-ins last for a time. */
export const authSessionTimes = defineRule({
  id: 'auth-session-times',
  title: 'Session and sign-in times are longer than zero and are set only where they apply.',
  why: 'People would be signed out at once and redirected to sign in endlessly; a time that the convention ignores misleads.',
  severity: 'warning',
  source: 'spec 000, "What the service does" 4 (the session); the cloud\'s authConfigs (login.cookieExpiration, login.nonce)',
  sections: ['containerApps'],
  needs: 'auth',
  reads: ['auth.cookieExpiration', 'auth.nonce'],
  messages: {
    zero: '{property} is zero; it must be longer',
    derived: 'timeToExpiration has no effect: the convention {given} takes the end of the session from the provider',
    unchecked: 'expirationInterval has no effect: validate is false',
  },
  check({ value }, context) {
    const { cookieExpiration: cookie, nonce } = value.auth ?? {};
    const isZero = (time: unknown): boolean => typeof time === 'string' && /^[0:.]+$/.test(time);
    const report = (messageId: string, path: readonly string[], parameters: object = {}): void =>
      context.report({ messageId, path: ['auth', ...path], parameters: { property: path.at(-1), ...parameters } });
    if (isZero(cookie?.timeToExpiration)) report('zero', ['cookieExpiration', 'timeToExpiration'], { given: cookie?.timeToExpiration });
    if (isZero(nonce?.expirationInterval)) report('zero', ['nonce', 'expirationInterval'], { given: nonce?.expirationInterval });
    if (cookie?.convention === 'identityProviderDerived' && cookie.timeToExpiration !== undefined)
      report('derived', ['cookieExpiration', 'timeToExpiration'], { given: cookie.convention });
    if (nonce?.validate === false && nonce.expirationInterval !== undefined) report('unchecked', ['nonce', 'expirationInterval']);
  },
});
