import { group } from '../../../kinds/group/group.js';
import { defineRule } from '../../engine/rule.js';

export const groupTwoOwners = defineRule({
  id: 'group-two-owners',
  title: 'A group has at least two owners.',
  why: 'When the only owner leaves, no one can manage the group.',
  severity: 'info',
  source: 'Directory rules, "What the service does" 7 (at least two owners are recommended)',
  sections: ['groups'],
  reads: ['owners', 'ownersManagedElsewhere'],
  messages: { few: 'the group has {count}; at least two are recommended' },
  check({ value }, context) {
    if (value.ownersManagedElsewhere === true) return;
    const count = value.owners?.length ?? 0;
    if (count >= group.limits.recommendedOwners || (value.owners !== undefined && count === 0))
      return;
    context.report({
      messageId: 'few',
      path: ['owners'],
      parameters: { count: count === 0 ? 'no owner' : 'one owner' },
    });
  },
});
