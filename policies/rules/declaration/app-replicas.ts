import { containerApp } from '../../../kinds/container-app/container-app.js';
import { defineRule } from '../../engine/rule.js';

export const appReplicas = defineRule({
  id: 'app-replicas',
  title: 'replicas.min is at most replicas.max, both within 0 to 300.',
  why: 'The hosting service refuses it; the official provider plans it.',
  severity: 'error',
  source: 'the official provider lets it through',
  sections: ['containerApps'],
  whenDeclared: 'replicas',
  reportsSchemaMistakesOf: ['replicas.min', 'replicas.max'],
  reads: ['replicas'],
  messages: {
    minimum: '{given} is too few; must be at least {limit}',
    maximum: '{given} is too many; must be at most {limit}',
    order: 'min is {given}, more than max ({max})',
  },
  check({ value }, context) {
    const { min, max = containerApp.limits.replicas } = value.replicas ?? {};
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return;
    context.report({
      messageId: 'order',
      path: ['replicas', 'min'],
      parameters: { max },
      fix: { description: `write min: ${String(max)}`, value: max },
    });
  },
});
