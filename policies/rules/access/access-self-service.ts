import {
  Array as ListSchema,
  Object as ObjectSchema,
  Optional,
  String as Text,
} from '@sinclair/typebox';
import type { AccessRule } from '../../engine/access-rule.js';

export const accessSelfService: AccessRule = {
  id: 'access-self-service',
  title: 'A change enables no one to grant themselves access to an app.',
  why: 'Owners can add themselves to their groups, and whoever may write an attribute can make a membership rule match: a list of people does not stop them.',
  severity: 'warning',
  source:
    'Directory rules, "Authentication" 5 (owners change members); "Group properties", `visibility`',
  options: ObjectSchema({
    allowed: Optional(
      ListSchema(Text({ minLength: 1 }), {
        description: 'User principal names of people who may, such as administrators.',
      }),
    ),
  }),
  messages: {
    can: '{given} has no access to {app}, but can grant it to themselves: {by}',
    unknown:
      '{given} is not among the people that were read, and can grant access to {app} to themselves: {by}',
  },
  check({ app, selfService }, { allowed = [] }, report) {
    const allowedNames = new Set((allowed as readonly string[]).map((name) => name.toLowerCase()));
    for (const { who, by, isUnknownUser } of selfService)
      if (!allowedNames.has(who.toLowerCase()))
        report({
          messageId: isUnknownUser ? 'unknown' : 'can',
          parameters: { given: who, app, by },
        });
  },
};
