import { defineRule } from '../../engine/rule.js';

export const groupOwnerKind = defineRule({
  id: 'group-owner-kind',
  title: 'Owners of a group are users or service principals.',
  why: 'The directory refuses any other owner half-way through an apply.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 7 and "Group relationships" (owners)',
  sections: ['groups'],
  scope: 'stack',
  reads: ['owners'],
  messages: { kind: '"{given}" is a {what}; an owner is a user or a service principal' },
  check({ value }, context) {
    if (!Array.isArray(value.owners)) return;
    value.owners.forEach((owner: string, index) => {
      const isGroup = context.index.find('principals', owner)?.value.group !== undefined;
      const kind = isGroup ? 'group' : context.index.memberKind(owner);
      if (kind === 'unknown' || kind === 'user' || kind === 'servicePrincipal') return;
      const what = {
        group: 'group',
        device: 'device',
        contact: 'contact',
        securityGroup: 'security group',
        unifiedGroup: 'unified group',
      }[kind];
      context.report({ messageId: 'kind', path: ['owners', index], parameters: { what } });
    });
  },
});
