import { isDynamic } from '../../engine/stack-index.js';
import { defineRule } from '../../engine/rule.js';

export const groupMembersElsewhere = defineRule({
  id: 'group-members-elsewhere',
  title:
    'A group declares no members or owners when they are managed elsewhere, and no rule beside them.',
  why: 'The declaration would never be applied, or the two would undo each other.',
  severity: 'error',
  source:
    'the official provider: two resources that manage the members of one group undo each other',
  sections: ['groups'],
  reads: [
    'membersManagedElsewhere',
    'ownersManagedElsewhere',
    'dynamicMembership',
    'membershipRule',
    'groupTypes',
  ],
  messages: {
    members: 'the members are managed elsewhere: remove members, or membersManagedElsewhere',
    owners: 'the owners are managed elsewhere: remove owners, or ownersManagedElsewhere',
    rule: 'the members follow from a rule and cannot be managed elsewhere: remove membersManagedElsewhere',
  },
  check({ value, unknownPaths }, context) {
    const unknownPathOf = (property: string) => unknownPaths.find(([first]) => first === property);
    const [unknownOwners, unknownMembers] = [unknownPathOf('owners'), unknownPathOf('members')];
    if (value.ownersManagedElsewhere === true && unknownOwners !== undefined)
      context.unknown(unknownOwners);
    else if (value.ownersManagedElsewhere === true && value.owners !== undefined) {
      const fix = {
        description: 'remove ownersManagedElsewhere',
        path: ['ownersManagedElsewhere'],
      };
      context.report({ messageId: 'owners', path: ['owners'], at: 'key', fix });
    }
    if (value.membersManagedElsewhere !== true) return;
    const fix = {
      description: 'remove membersManagedElsewhere',
      path: ['membersManagedElsewhere'],
    };
    if (unknownMembers !== undefined) context.unknown(unknownMembers);
    else if (value.members !== undefined)
      context.report({ messageId: 'members', path: ['members'], at: 'key', fix });
    if (isDynamic(value))
      context.report({ messageId: 'rule', path: ['membersManagedElsewhere'], at: 'key', fix });
  },
});
