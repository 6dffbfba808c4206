import { defineRule } from '../../engine/rule.js';
import type { StackIndex } from '../../engine/stack-index.js';
import { findCycles } from '../../model/membership-cycles.js';

export const groupMembershipCycle = defineRule({
  id: 'group-membership-cycle',
  title: 'Groups of a stack do not contain each other in a cycle.',
  why: 'Terraform can create neither group before the other.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 6 (security groups contain groups)',
  sections: ['groups'],
  scope: 'stack',
  reads: ['members'],
  messages: {
    cycle:
      'the groups contain each other ({cycle}): remove one of them from the members of the other',
  },
  check({ name, value }, context) {
    const cycle = cyclesOf(context.index).get(name);
    if (cycle === undefined) return;
    const index = value.members?.indexOf(cycle[1] ?? '') ?? -1;
    context.report({
      messageId: 'cycle',
      path: ['members', index],
      parameters: { given: cycle.join(' '), cycle: cycle.join(' -> ') },
    });
  },
});

const cyclesOfIndex = new WeakMap<StackIndex, ReturnType<typeof findCycles>>();

/** The membership cycles of a stack, found once. */
function cyclesOf(index: StackIndex): ReturnType<typeof findCycles> {
  const cachedCycles = cyclesOfIndex.get(index);
  if (cachedCycles !== undefined) return cachedCycles;
  const memberGroups = new Map<string, readonly string[]>();
  for (const { name, value } of index.all('groups')) {
    const groups = Array.isArray(value.members)
      ? value.members.filter((member) => index.find('groups', member) !== undefined)
      : [];
    if (groups.length > 0) memberGroups.set(name, groups);
  }
  const cycles = findCycles(memberGroups);
  cyclesOfIndex.set(index, cycles);
  return cycles;
}
