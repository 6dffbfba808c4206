import { defineRule } from '../../engine/rule.js';

export const authNonce = defineRule({
  id: 'auth-nonce',
  title: 'The nonce of a sign-in is checked.',
  why: 'Without it, a stolen token can be replayed to sign in as its owner.',
  severity: 'warning',
  source:
    'Sign-in rules, "What the service does" 4 (authenticates users with the configured identity providers)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['auth.nonce.validate'],
  messages: { off: 'the nonce is not checked: remove validate: false' },
  check({ value }, context) {
    if (value.auth?.enabled === false || value.auth?.nonce?.validate !== false) return;
    const fix = { description: 'write validate: true', value: true };
    context.report({
      messageId: 'off',
      path: ['auth', 'nonce', 'validate'],
      parameters: { given: false },
      fix,
    });
  },
});
