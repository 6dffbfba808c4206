import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { defineRule } from '../../engine/rule.js';
import { enabledProviders } from '../../model/sign-in.js';

export const authRedirectTarget = defineRule({
  id: 'auth-redirect-target',
  title: 'redirectTo names one of the enabled providers.',
  why: 'Everyone would be sent to a page that does not exist; neither the cloud nor the official provider notices.',
  severity: 'error',
  source: 'Sign-in rules, "Configuration settings" (redirect to a chosen provider) and "Errors" 1',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: [
    'auth.enabled',
    'auth.redirectTo',
    'auth.restrictAccess',
    'auth.unauthenticatedAction',
    'auth.providers.*.enabled',
    'auth.providers.openIdConnect.*.enabled',
  ],
  messages: {
    missing: '"{given}" is not an enabled provider of this app; enabled: {allowed}{hint}',
    none: 'several providers are enabled ({allowed}): write redirectTo with the one that browsers are sent to',
    noneEnabled: 'no provider is enabled: no one could sign in',
  },
  check({ value }, context) {
    const { auth } = value;
    if (auth === undefined || auth.enabled === false || typeof auth.providers !== 'object') return;
    const enabledNames = enabledProviders(auth);
    const { redirectTo: target } = auth;
    if (enabledNames.length === 0)
      return context.report({ messageId: 'noneEnabled', path: ['auth', 'providers'] });
    if (target !== undefined && !enabledNames.includes(target)) {
      const suggestion = nearest(target, enabledNames);
      const hint = didYouMean(suggestion);
      const fix = { value: suggestion ?? enabledNames[0] };
      return context.report({
        messageId: 'missing',
        path: ['auth', 'redirectTo'],
        parameters: { allowed: enabledNames, hint },
        fix,
      });
    }
    const sendsToLogin =
      auth.restrictAccess !== 'allowUnauthenticated' &&
      (auth.unauthenticatedAction ?? 'redirectToLogin') === 'redirectToLogin';
    if (target === undefined && sendsToLogin && enabledNames.length > 1)
      context.report({
        messageId: 'none',
        path: ['auth', 'redirectTo'],
        parameters: { allowed: enabledNames },
      });
  },
});
