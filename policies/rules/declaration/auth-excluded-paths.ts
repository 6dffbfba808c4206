import { defaultApiPrefix, pathPatternMistakes } from '../../../kinds/auth/path-pattern.js';
import { defineRule } from '../../engine/rule.js';

export const authExcludedPaths = defineRule({
  id: 'auth-excluded-paths',
  title: 'Excluded paths are paths, and do not cover the sign-in endpoints.',
  why: 'No request would have such a path, or the sign-in would not work.',
  severity: 'error',
  source: 'Sign-in rules, "Authentication" 4 (restriction applies to all requests)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reportsSchemaMistakesOf: ['auth.excludedPaths.*'],
  reads: ['auth.excludedPaths'],
  messages: {
    endpoints: '"{given}" excludes the sign-in endpoints',
    ...Object.fromEntries(
      Object.entries(pathPatternMistakes).map(([id, words]) => [id, `"{given}" ${words}`]),
    ),
  },
  check({ value }, context) {
    if (!Array.isArray(value.auth?.excludedPaths)) return;
    const prefix = (value.auth.routes?.apiPrefix ?? defaultApiPrefix).toLowerCase();
    value.auth.excludedPaths.forEach((excludedPath: unknown, index: number) => {
      if (typeof excludedPath !== 'string') return;
      const path = ['auth', 'excludedPaths', index];
      const lowerCasePath = excludedPath.toLowerCase();
      if (lowerCasePath === prefix || lowerCasePath.startsWith(`${prefix}/`))
        context.report({ messageId: 'endpoints', path });
    });
  },
});
