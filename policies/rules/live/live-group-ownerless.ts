import type { LiveRule } from '../../engine/live-rule.js';

export const liveGroupOwnerless: LiveRule = {
  id: 'live-group-ownerless',
  title: 'A group in the directory has an owner.',
  why: 'No one can manage the group, renew it or review its members.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 7',
  messages: { ownerless: 'the group has no owner in the directory; add two' },
  check({ group, owners }, report) {
    if (group !== undefined && owners.length === 0)
      report({ messageId: 'ownerless', path: ['owners'] });
  },
};
