import { principalKinds } from '../../kinds/principal/principal.js';
import { defineRule } from '../engine/rule.js';

/** Each principal is declared once. */
export const principalTwice = defineRule({
  id: 'principal-twice',
  title: 'No two principals are the same user, service principal, device, contact or group.',
  why: 'Lists that name both look longer than they are: two such owners are one, and the second such member fails half-way through an apply.',
  severity: 'warning',
  source: 'Directory rules, "Group relationships" (owners and members are references, each at most once)',
  sections: ['principals'],
  scope: 'stack',
  reads: ['user', 'servicePrincipal', 'device', 'contact', 'group'],
  messages: { twice: 'the {kind} "{given}" is the principal "{other}" already' },
  check({ name, value }, context) {
    for (const kind of principalKinds) {
      const given = value[kind];
      if (typeof given !== 'string') continue;
      const other = context.index.saidBefore('principal-twice', `${kind} ${given}`, name);
      if (other !== undefined) context.report({ messageId: 'twice', path: [kind], parameters: { kind, given, other } });
    }
  },
});
