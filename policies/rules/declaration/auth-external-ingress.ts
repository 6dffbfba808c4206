import { defineRule } from '../../engine/rule.js';

export const authExternalIngress = defineRule({
  id: 'auth-external-ingress',
  title: 'An app with auth has external ingress.',
  why: 'The sign-in layer needs external ingress; without it no one can sign in.',
  severity: 'error',
  source: 'Sign-in rules, "What the service does" 1',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['ingress.external', 'auth.enabled'],
  messages: {
    external:
      'the app has auth, but is not reached from outside: write ingress: { external: true }',
  },
  check({ value }, context) {
    if (
      value.auth === undefined ||
      value.auth.enabled === false ||
      value.ingress?.external === true
    )
      return;
    context.report({ messageId: 'external', path: ['ingress', 'external'], fix: { value: true } });
  },
});
