import {
  Array as ListSchema,
  Object as ObjectSchema,
  Optional,
  String as Text,
} from '@sinclair/typebox';
import type { AccessRule } from '../../engine/access-rule.js';

export const accessSelfService: AccessRule = {
  id: 'access-self-service',
  title: 'A change makes no one able to let himself into an app.',
  why: 'The owner of a group adds himself, and anyone who may write an attribute makes a rule match: a list of people does not limit them.',
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
  messages: { can: '{given} is not let into {app}, but can let himself in: {by}' },
  check({ app, selfService }, { allowed = [] }, report) {
    const may = new Set((allowed as readonly string[]).map((name) => name.toLowerCase()));
    for (const { who, by } of selfService)
      if (!may.has(who.toLowerCase()))
        report({ messageId: 'can', parameters: { given: who, app, by } });
  },
};
