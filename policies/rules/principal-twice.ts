import { principalKinds } from '../../kinds/principal/principal.js';
import { defineRule } from '../engine/rule.js';
import type { StackIndex } from '../engine/stack-index.js';

const seenIn = new WeakMap<StackIndex, Map<string, string>>();

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
    const seen = seenIn.get(context.index) ?? new Map<string, string>();
    seenIn.set(context.index, seen);
    for (const kind of principalKinds) {
      const given = value[kind];
      if (typeof given !== 'string') continue;
      const key = `${kind} ${given.toLowerCase()}`;
      const other = seen.get(key);
      if (other === undefined || other === name) seen.set(key, name);
      else context.report({ messageId: 'twice', path: [kind], parameters: { kind, given, other } });
    }
  },
});
