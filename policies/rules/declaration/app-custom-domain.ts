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
    twice: 'the app has this domain already, as {other}: letter case makes no difference',
    certificate: 'the binding SniEnabled needs a certificate: declare certificateId',
  },
  check({ value }, context) {
    if (value.ingress?.external !== true && value.auth === undefined)
      context.report({
        messageId: 'external',
        path: ['ingress', 'external'],
        fix: { value: true },
      });
    const spellings = new Map<string, string>();
    for (const [domain, options] of Object.entries(value.customDomains ?? {})) {
      const other = spellings.get(domain.toLowerCase());
      const domainPath = ['customDomains', domain];
      if (other !== undefined)
        context.report({ messageId: 'twice', path: domainPath, at: 'key', parameters: { other } });
      spellings.set(domain.toLowerCase(), domain);
      const { certificateId, binding } = options ?? {};
      if (certificateId === undefined && binding === 'SniEnabled')
        context.report({ messageId: 'certificate', path: [...domainPath, 'binding'] });
    }
  },
});
