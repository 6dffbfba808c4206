import { defineRule } from '../engine/rule.js';

/** Groups don't contain each other in a circle. */
export const groupMembershipCycle = defineRule({
  id: 'group-membership-cycle',
  title: 'Groups of a stack do not contain each other in a circle.',
  why: 'Terraform can create neither group before the other.',
  severity: 'error',
  source: 'spec 001, "What the service does" 6 (security groups contain groups)',
  sections: ['groups'],
  scope: 'stack',
  reads: ['members'],
  messages: { circle: 'the groups contain each other: {circle}' },
  check({ name, value }, context) {
    if (!Array.isArray(value.members) || !value.members.some((member: string) => context.index.find('groups', member) !== undefined))
      return;
    const circle = circleFrom(name, (group) => context.index.find('groups', group)?.value.members ?? []);
    if (circle === undefined || circle.length < 3 || [...circle].sort()[0] !== name) return;
    const index = value.members.indexOf(circle[1] ?? '');
    context.report({ messageId: 'circle', path: ['members', index], parameters: { given: circle.join(' '), circle: circle.join(' -> ') } });
  },
});

/** The shortest way from a group back to itself, searched breadth-first. */
function circleFrom(start: string, membersOf: (group: string) => readonly string[]): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
    for (const member of membersOf(group)) {
      if (member === start) return wayTo(group, start, cameFrom);
      if (cameFrom.has(member)) continue;
      cameFrom.set(member, group);
      queue.push(member);
    }
  }
  return undefined;
}

function wayTo(group: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [start];
  for (let each: string | undefined = group; each !== undefined && each !== start; each = cameFrom.get(each)) way.unshift(each);
  return [start, ...way];
}
