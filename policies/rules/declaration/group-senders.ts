import { normalizeId } from '../../../core/values/guid.js';
import type { MemberKind } from '../../engine/stack-index.js';
import { defineRule } from '../../engine/rule.js';

const nonSenderNouns: Partial<Record<MemberKind, string>> = {
  device: 'device',
  servicePrincipal: 'service principal',
  contact: 'contact',
};

export const groupSenders = defineRule({
  id: 'group-senders',
  title: 'Senders are users and groups, and none is both accepted and rejected.',
  why: 'The directory refuses a list with other members, and the second of two lists that share one.',
  severity: 'error',
  source: 'Directory rules, "Group relationships" (acceptedSenders, rejectedSenders)',
  sections: ['groups'],
  scope: 'stack',
  reads: ['acceptedSenders', 'rejectedSenders'],
  messages: {
    both: '"{given}" is an accepted and a rejected sender',
    kind: '"{given}" is a {what}; senders are users or groups',
  },
  check({ value }, context) {
    const { acceptedSenders, rejectedSenders } = value;
    if (acceptedSenders === undefined && rejectedSenders === undefined) return;
    const accepted = new Set(acceptedSenders?.map(normalizeId));
    rejectedSenders?.forEach((sender, index) => {
      if (accepted.has(normalizeId(sender)))
        context.report({ messageId: 'both', path: ['rejectedSenders', index] });
    });
    for (const list of ['acceptedSenders', 'rejectedSenders'] as const) {
      value[list]?.forEach((sender, index) => {
        const kind = context.index.memberKind(sender);
        const what = nonSenderNouns[kind];
        if (what !== undefined)
          context.report({ messageId: 'kind', path: [list, index], parameters: { what } });
      });
    }
  },
});
