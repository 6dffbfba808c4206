import type { LiveRule } from '../../engine/live-rule.js';
import { group as groupKind } from '../../../kinds/group/group.js';

export const liveGroupOwners: LiveRule = {
  id: 'live-group-owners',
  title: 'A group in the directory has at least two owners.',
  why: 'When the only owner leaves, no one can manage the group.',
  severity: 'warning',
  source: 'Directory rules, "What the service does" 7 (at least two owners are recommended)',
  messages: { few: 'the group has {count} in the directory; at least two are recommended' },
  check({ group, owners }, report) {
    if (group === undefined || owners.length >= groupKind.limits.recommendedOwners) return;
    report({
      messageId: 'few',
      path: ['owners'],
      parameters: { count: owners.length === 0 ? 'no owner' : 'one owner' },
    });
  },
};
