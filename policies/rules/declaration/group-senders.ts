import { normalizeId } from '../../../core/values/guid.js';
import { defineRule } from '../../engine/rule.js';

const nonSenderNouns = {
  device: 'device',
  servicePrincipal: 'service principal',
  contact: 'contact',
} as const;

export const groupSenders = defineRule({
  id: 'group-senders',
  title: 'No one is both an accepted and a rejected sender.',
  why: 'The directory refuses the second list.',
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
        const what = nonSenderNouns[kind as keyof typeof nonSenderNouns] as string | undefined;
        if (what !== undefined)
          context.report({ messageId: 'kind', path: [list, index], parameters: { what } });
      });
    }
  },
});
