import { excludedPathMistakes } from '../../../kinds/auth/excluded-path.js';
import { defineRule } from '../../engine/rule.js';

export const authExcludedPaths = defineRule({
  id: 'auth-excluded-paths',
  title: 'Excluded paths do not cover the whole app, nor the sign-in endpoints.',
  why: 'The app would be open to everyone, or its sign-in would not work.',
  severity: 'error',
  source: 'Sign-in rules, "Authentication" 4 (restriction applies to all requests)',
  sections: ['containerApps'],
  needs: 'auth',
  claims: ['auth.excludedPaths.*'],
  reads: ['auth.excludedPaths'],
  messages: {
    everything: '"{given}" excludes the whole app from sign-in',
    endpoints: '"{given}" excludes the sign-in endpoints',
    ...Object.fromEntries(
      Object.entries(excludedPathMistakes).map(([id, words]) => [id, `"{given}" ${words}`]),
    ),
  },
  check({ value }, context) {
    if (!Array.isArray(value.auth?.excludedPaths)) return;
    const prefix = (value.auth.routes?.apiPrefix ?? '/.auth').toLowerCase();
    value.auth.excludedPaths.forEach((value: unknown, index: number) => {
      if (typeof value !== 'string') return;
      const path = ['auth', 'excludedPaths', index];
      const lower = value.toLowerCase();
      if (value === '/*') context.report({ messageId: 'everything', path });
      else if (lower === prefix || lower.startsWith(`${prefix}/`))
        context.report({ messageId: 'endpoints', path });
    });
  },
});
