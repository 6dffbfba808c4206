import { defineRule } from '../../engine/rule.js';

export const appRegistry = defineRule({
  id: 'app-registry',
  title: 'A registry has an identity of the app, or a user name with a password.',
  why: 'The official provider reports it only during the apply.',
  severity: 'error',
  source: 'the official provider checks it at apply only',
  sections: ['containerApps'],
  whenDeclared: 'registries',
  reads: ['registries', 'identity'],
  messages: {
    none: 'declare identity, or username and password',
    half: 'username and password belong together; {missing} is missing',
    both: 'identity excludes username and password',
    system:
      'identity: system is the identity of the app itself, which it does not have: declare identity: { systemAssigned: true }',
    foreign: 'the app does not have the identity "{given}": add it to identity.userAssigned',
    twice: 'the registry "{given}" is listed twice',
  },
  check({ value }, context) {
    const previous = new Set<string>();
    value.registries?.forEach(({ server, username, password, identity }, index) => {
      const path = ['registries', index];
      const isHalf = (username === undefined) !== (password === undefined);
      if (previous.has(server))
        context.report({
          messageId: 'twice',
          path: [...path, 'server'],
          parameters: { given: server },
        });
      previous.add(server);
      if (identity !== undefined && (username !== undefined || password !== undefined))
        context.report({
          messageId: 'both',
          path: [...path, 'identity'],
          parameters: { given: server },
        });
      else if (identity === 'system' && value.identity?.systemAssigned !== true)
        context.report({
          messageId: 'system',
          path: [...path, 'identity'],
          parameters: { given: identity },
          fix: {
            description: 'declare the identity',
            path: ['identity', 'systemAssigned'],
            value: true,
          },
        });
      else if (
        identity !== undefined &&
        identity !== 'system' &&
        !identity.includes('${') &&
        value.identity?.userAssigned?.includes(identity) !== true
      )
        context.report({ messageId: 'foreign', path: [...path, 'identity'] });
      else if (isHalf)
        context.report({
          messageId: 'half',
          path,
          parameters: { given: server, missing: username === undefined ? 'username' : 'password' },
        });
      else if (identity === undefined && username === undefined)
        context.report({ messageId: 'none', path, parameters: { given: server } });
    });
  },
});
