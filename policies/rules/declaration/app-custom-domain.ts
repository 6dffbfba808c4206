import { defineRule } from '../../engine/rule.js';

export const appCustomDomain = defineRule({
  id: 'app-custom-domain',
  title: 'An app with domains is reached from outside, and a binding has a certificate.',
  why: 'The hosting service refuses the domain only after it has created the app: a plan does not show it.',
  severity: 'error',
  source: 'the hosting service: customDomains belong to an external ingress',
  sections: ['containerApps'],
  whenDeclared: 'customDomains',
  reads: ['customDomains', 'ingress.external'],
  messages: {
    external:
      'the app has domains, but is not reached from outside: write ingress: { external: true }',
    certificate: 'the binding SniEnabled needs a certificate: declare certificateId',
  },
  check({ value }, context) {
    if (value.ingress?.external !== true && value.auth === undefined)
      context.report({
        messageId: 'external',
        path: ['ingress', 'external'],
        fix: { value: true },
      });
    for (const [domain, options] of Object.entries(value.customDomains ?? {})) {
      const { certificateId, binding } = options ?? {};
      if (certificateId === undefined && binding === 'SniEnabled')
        context.report({ messageId: 'certificate', path: ['customDomains', domain, 'binding'] });
    }
  },
});
