import { pathPrefixOf } from '../../../kinds/auth/path-pattern.js';
import { defineRule } from '../../engine/rule.js';

export const authExcludedEverything = defineRule({
  id: 'auth-excluded-everything',
  title: 'Excluded paths leave something behind the sign-in.',
  why: 'Everyone reaches the whole app, and its sign-in looks as if it kept them out.',
  severity: 'error',
  source: 'Sign-in rules, "Authentication" 4 (restriction applies to all requests)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['auth.excludedPaths'],
  messages: {
    everything: '"{given}" excludes the whole app from sign-in',
    root: '"/" excludes the start page alone here, and the cloud does not document what it excludes: name the paths that are public',
  },
  check({ value }, context) {
    if (!Array.isArray(value.auth?.excludedPaths)) return;
    value.auth.excludedPaths.forEach((excludedPath: unknown, index: number) => {
      if (typeof excludedPath !== 'string') return;
      const path = ['auth', 'excludedPaths', index];
      if (excludedPath === '/') context.report({ messageId: 'root', path, severity: 'warning' });
      else if (/^\/+(\*|\.?\/\*)?$/.test(excludedPath) || pathPrefixOf(excludedPath) === '')
        context.report({ messageId: 'everything', path });
    });
  },
});
