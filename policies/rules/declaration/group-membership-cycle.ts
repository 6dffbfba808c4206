import { defineRule } from '../../engine/rule.js';
import type { StackIndex } from '../../engine/stack-index.js';
import { circlesIn } from '../../model/membership-circles.js';

export const groupMembershipCycle = defineRule({
  id: 'group-membership-cycle',
  title: 'Groups of a stack do not contain each other in a circle.',
  why: 'Terraform can create neither group before the other.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 6 (security groups contain groups)',
  sections: ['groups'],
  scope: 'stack',
  reads: ['members'],
  messages: { circle: 'the groups contain each other: {circle}' },
  check({ name, value }, context) {
    const circle = circlesOf(context.index).get(name);
    if (circle === undefined) return;
    const index = value.members?.indexOf(circle[1] ?? '') ?? -1;
    context.report({
      messageId: 'circle',
      path: ['members', index],
      parameters: { given: circle.join(' '), circle: circle.join(' -> ') },
    });
  },
});

const cache = new WeakMap<StackIndex, ReturnType<typeof circlesIn>>();

/** The membership cycles of a stack, found once. */
function circlesOf(index: StackIndex): ReturnType<typeof circlesIn> {
  const known = cache.get(index);
  if (known !== undefined) return known;
  const below = new Map<string, readonly string[]>();
  for (const { name, value } of index.all('groups')) {
    const groups = Array.isArray(value.members)
      ? value.members.filter((member) => index.find('groups', member) !== undefined)
      : [];
    if (groups.length > 0) below.set(name, groups);
  }
  const circles = circlesIn(below);
  cache.set(index, circles);
  return circles;
}
