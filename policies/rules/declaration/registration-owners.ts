import { normalizeId } from '../../../core/values/guid.js';
import { defineRule } from '../../engine/rule.js';

export const registrationOwners = defineRule({
  id: 'registration-owners',
  title: 'Owners of a registration are users or service principals, each once.',
  why: 'The directory refuses any other owner half-way through an apply.',
  severity: 'error',
  source:
    'Directory rules, "What the service does" 7 (owners are users or service principals); the official provider passes any id on',
  sections: ['registrations'],
  scope: 'stack',
  reads: ['owners'],
  messages: {
    kind: '"{given}" is a {what}; an owner is a user or a service principal',
    twice: '"{given}" is an owner twice: remove one of the two',
  },
  check({ value }, context) {
    const { owners } = value;
    if (!Array.isArray(owners)) return;
    const previousOwners = new Set<string>();
    owners.forEach((owner: string, index: number) => {
      const path = ['owners', index];
      const id = normalizeId(owner);
      if (previousOwners.has(id)) context.report({ messageId: 'twice', path });
      previousOwners.add(id);
      const principal = context.index.find('principals', owner)?.value;
      const what = (['device', 'contact', 'group'] as const).find(
        (kind) => principal?.[kind] !== undefined,
      );
      if (what !== undefined) context.report({ messageId: 'kind', path, parameters: { what } });
    });
  },
});
