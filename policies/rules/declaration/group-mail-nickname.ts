import { group } from '../../../kinds/group/group.js';
import { defineRule } from '../../engine/rule.js';

const limits = group.properties.mailNickname;
const pattern = new RegExp(limits.pattern, 'u');

export const groupMailNickname = defineRule({
  id: 'group-mail-nickname',
  title:
    'A mail nickname is at most 64 ASCII characters without @ ( ) \\ [ ] " ; : < > , and space.',
  why: 'The directory refuses any other nickname half-way through an apply; the official provider checks neither the length nor ASCII.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (mailNickname) and "Limits" 2',
  sections: ['groups'],
  reportsSchemaMistakesOf: ['mailNickname'],
  reads: ['mailNickname'],
  messages: {
    maxLength: 'the mail nickname has {length} characters; at most {limit} are allowed',
    minLength: 'the mail nickname is empty',
    pattern:
      'the mail nickname "{given}" has characters that are not allowed: only ASCII, and none of @ ( ) \\ [ ] " ; : < > , and space',
    fromName:
      'the name "{given}" can\'t serve as the mail nickname (at most {limit} ASCII characters without @ ( ) \\ [ ] " ; : < > , and space): declare mailNickname',
  },
  check({ name, value }, context) {
    if (value.mailNickname !== undefined || (name.length <= limits.maxLength && pattern.test(name)))
      return;
    context.report({
      messageId: 'fromName',
      path: ['mailNickname'],
      parameters: { given: name, limit: limits.maxLength },
    });
  },
});
