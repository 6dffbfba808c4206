import { defineRule } from '../../engine/rule.js';

export const appIngressPort = defineRule({
  id: 'app-ingress-port',
  title: 'An app with ingress says which port it listens on.',
  why: 'The hosting service has nowhere to send requests to.',
  severity: 'error',
  source: 'the official provider requires target_port with ingress',
  sections: ['containerApps'],
  whenDeclared: 'ingress',
  reportsSchemaMistakesOf: ['targetPort'],
  reads: ['targetPort', 'ingress.transport'],
  messages: {
    minimum: '{given} is not a port; allowed: 1 to 65535',
    maximum: '{given} is not a port; allowed: 1 to 65535',
    missing: 'the app has ingress, but no targetPort: declare the port that it listens on',
    exposed: 'exposedPort is for transport tcp only',
  },
  check({ value }, context) {
    if (value.ingress === undefined || value.ingress === null) return;
    if (value.targetPort === undefined)
      context.report({ messageId: 'missing', path: ['targetPort'] });
    if (value.ingress.exposedPort !== undefined && value.ingress.transport !== 'tcp')
      context.report({ messageId: 'exposed', path: ['ingress', 'exposedPort'], at: 'key' });
  },
});
