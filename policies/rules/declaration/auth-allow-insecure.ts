import { defineRule } from '../../engine/rule.js';

export const authAllowInsecure = defineRule({
  id: 'auth-allow-insecure',
  title: 'An app with auth has ingress.allowInsecure false.',
  why: 'Sessions and tokens would travel in clear. The official provider lets it through.',
  severity: 'error',
  source: 'Sign-in rules, "What the service does" 6 and "Configuration settings" (allowInsecure)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['ingress.allowInsecure', 'ingress.transport', 'auth.enabled', 'auth.requireHttps'],
  messages: {
    insecure: 'the app has auth, which is for HTTPS only: allowInsecure must be false',
    requireHttps: 'requireHttps must not be false: the sign-in layer is for HTTPS only',
    tcp: "the app has auth, which speaks HTTP: the transport can't be tcp",
  },
  check({ value }, context) {
    if (value.auth === undefined || value.auth.enabled === false) return;
    if (value.ingress?.allowInsecure === true)
      context.report({
        messageId: 'insecure',
        path: ['ingress', 'allowInsecure'],
        parameters: { given: true },
        fix: { value: false },
      });
    if (value.auth.requireHttps === false)
      context.report({
        messageId: 'requireHttps',
        path: ['auth', 'requireHttps'],
        fix: { value: true },
      });
    if (value.ingress?.transport === 'tcp')
      context.report({
        messageId: 'tcp',
        path: ['ingress', 'transport'],
        parameters: { given: 'tcp' },
      });
  },
});
