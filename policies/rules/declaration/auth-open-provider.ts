import { hasRequirementForAll } from '../../model/sign-in.js';
import { defineRule } from '../../engine/rule.js';

/** The providers at which anyone can get an account, and what they are. */
const openProviders = {
  codehost: 'a code host',
  social: 'a social network',
  microblog: 'a microblog',
  search: 'a search engine',
  apple: 'a maker of phones',
  personal: 'a provider of personal accounts',
} as const;

export const authOpenProvider = defineRule({
  id: 'auth-open-provider',
  title: 'People sign in where your organization decides who has an account.',
  why: 'Anyone can get an account at a code host, a social network or a provider of personal accounts, so the sign-in says who someone is and keeps nobody out: only the app can.',
  severity: 'info',
  source: 'Sign-in rules, "Sign-in endpoints per provider"',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['auth.enabled', 'auth.restrictAccess', 'auth.requirements'],
  messages: {
    open: 'anyone with an account at {what} ({given}) gets in: remove the provider, or let the app itself decide who may do what',
  },
  check({ value: { auth } }, context) {
    if (auth === undefined || auth.enabled === false) return;
    // the app is open without an account, too
    if (auth.restrictAccess === 'allowUnauthenticated') return;
    if (hasRequirementForAll(auth)) return;
    for (const [name, what] of Object.entries(openProviders)) {
      const provider = auth.providers?.[name as keyof typeof openProviders];
      if (provider === undefined || provider === null || provider.enabled === false) continue;
      context.report({
        messageId: 'open',
        path: ['auth', 'providers', name],
        at: 'key',
        parameters: { given: name, what },
      });
    }
  },
});
