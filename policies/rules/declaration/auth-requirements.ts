import {
  canonicalPathOf,
  defaultApiPrefix,
  pathPatternMistakes,
} from '../../../kinds/auth/path-pattern.js';
import { defineRule } from '../../engine/rule.js';
import { isDemand } from '../../model/sign-in.js';

export const authRequirements = defineRule({
  id: 'auth-requirements',
  title: 'Each requirement names one path of the app and what that path needs.',
  why: 'A requirement that no request meets protects nothing; one that needs nothing misleads.',
  severity: 'error',
  source: 'Sign-in rules, "Authentication" 4 (restriction applies to all requests); our own',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reportsSchemaMistakesOf: [
    'auth.requirements.*.path',
    {
      path: 'auth.requirements.*.maxAge',
      messageIds: { pattern: 'age', minimum: 'age', validate: 'age' },
    },
  ],
  reads: ['auth.requirements'],
  messages: {
    pattern: '"{given}" must start with a slash',
    ...Object.fromEntries(
      Object.entries(pathPatternMistakes).map(([id, words]) => [id, `"{given}" ${words}`]),
    ),
    age: '{given} is no time: write hh:mm:ss, d.hh:mm:ss or a number of seconds, longer than zero',
    twice: '"{given}" is listed twice: paths are equal in any letter case and encoding',
    endpoints: '"{given}" is a path of the sign-in layer, where no one is signed in yet',
    nothing: '"{given}" needs nothing: add groups, claims, emailDomains, acrValues or maxAge',
  },
  check({ value }, context) {
    const { requirements, routes } = value.auth ?? {};
    if (!Array.isArray(requirements)) return;
    const layerPrefix = (routes?.apiPrefix ?? defaultApiPrefix).toLowerCase();
    const seenPaths = new Set<string>();
    requirements.forEach(({ path, ...needed }, index) => {
      if (typeof path !== 'string') return;
      const report = (messageId: string): void =>
        context.report({ messageId, path: ['auth', 'requirements', index, 'path'] });
      const canonicalPath = canonicalPathOf(path);
      if (seenPaths.has(canonicalPath)) report('twice');
      seenPaths.add(canonicalPath);
      if (`${canonicalPath}/`.startsWith(`${layerPrefix}/`)) report('endpoints');
      if (!Object.values(needed).some(isDemand)) report('nothing');
    });
  },
});
