import { normalizeId } from '../../../core/values/guid.js';
import { defineRule } from '../../engine/rule.js';
import { isSecurityEnabled } from '../../engine/stack-index.js';

export const groupLicenses = defineRule({
  id: 'group-licenses',
  title: 'Licences are assigned to security-enabled groups only.',
  why: 'The directory refuses licences on a unified group without securityEnabled.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 9',
  sections: ['groups'],
  whenDeclared: 'licenses',
  reads: ['licenses', 'securityEnabled'],
  messages: {
    security: 'licences need securityEnabled: true on a unified group',
    twice: 'the subscription {given} is assigned twice: remove one of the two',
  },
  check({ value }, context) {
    const { licenses } = value;
    if (!Array.isArray(licenses) || licenses.length === 0) return;
    if (!isSecurityEnabled(value))
      context.report({
        messageId: 'security',
        path: ['licenses'],
        at: 'key',
        fix: { path: ['securityEnabled'], value: true },
      });
    const previous = new Set<string>();
    licenses.forEach(({ skuId }: { readonly skuId: string }, index: number) => {
      const id = normalizeId(skuId);
      if (previous.has(id))
        context.report({
          messageId: 'twice',
          path: ['licenses', index, 'skuId'],
          parameters: { given: skuId },
        });
      previous.add(id);
    });
  },
});
