import { membershipMatrix } from '../../../kinds/group/membership-matrix.js';
import { defineRule } from '../../engine/rule.js';
import { isUnified, type StackIndex } from '../../engine/stack-index.js';
import { isGuid, normalizeId } from '../../../core/values/guid.js';

const memberNouns = {
  user: 'a user',
  securityGroup: 'a security group',
  unifiedGroup: 'a unified group',
  device: 'a device',
  servicePrincipal: 'a service principal',
  contact: 'a contact',
} as const;

/**
 * Whether a member of unknown type may be one that the group refuses: an id, and a group whose kind
 * is not declared.
 */
function mayBeRefused(member: string, group: 'unified' | 'security', index: StackIndex): boolean {
  if (index.find('principals', member) !== undefined) return true;
  return group === 'unified' && isGuid(member);
}

export const groupMemberKind = defineRule({
  id: 'group-member-kind',
  title: 'Members are of a kind that the group takes.',
  why: 'A unified group takes users only; a security group everything but unified groups. The directory refuses the rest half-way through an apply.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 8 (membership table)',
  sections: ['groups'],
  scope: 'stack',
  reads: ['members', 'kind', 'groupTypes'],
  messages: {
    kind: '"{given}" is {what}, which can\'t be a member of a {group} group; allowed: {allowed}',
    self: 'the group is its own member',
    twice: '"{given}" is a member twice',
  },
  check({ name, value }, context) {
    const { members } = value;
    if (!Array.isArray(members)) return;
    const group = isUnified(value) ? 'unified' : 'security';
    const previousMembers = new Set<string>();
    members.forEach((member: string, index) => {
      const path = ['members', index];
      const id = normalizeId(member);
      if (previousMembers.has(id))
        context.report({ messageId: 'twice', path, parameters: { given: member } });
      previousMembers.add(id);
      if (member === name && context.index.find('principals', member) === undefined)
        return context.report({ messageId: 'self', path });
      const kind = context.index.memberKind(member);
      const isGroup = context.index.find('principals', member)?.value.group !== undefined;
      // a unified group takes neither kind of group
      if (kind === 'unknown' && group === 'unified' && isGroup)
        return context.report({
          messageId: 'kind',
          path,
          parameters: { given: member, what: 'a group', group, allowed: [memberNouns.user] },
        });
      if (kind === 'unknown')
        return mayBeRefused(member, group, context.index) ? context.unknown(path) : undefined;
      if (membershipMatrix[kind][group]) return;
      const allowed = Object.keys(memberNouns).filter(
        (each) => membershipMatrix[each as keyof typeof memberNouns][group],
      );
      const parameters = {
        given: member,
        what: memberNouns[kind],
        group,
        allowed: allowed.map((each) => memberNouns[each as keyof typeof memberNouns]),
      };
      context.report({ messageId: 'kind', path, parameters });
    });
  },
});
