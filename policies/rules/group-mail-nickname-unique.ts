import { defineRule } from '../engine/rule.js';
import { isUnified } from '../engine/stack-index.js';

/** Unified groups of a stack have different mail nicknames. */
export const groupMailNicknameUnique = defineRule({
  id: 'group-mail-nickname-unique',
  title: 'No two unified groups have the same mail nickname.',
  why: 'A nickname is the address of the group: the directory refuses the second one half-way through an apply.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (mailNickname: unique for unified groups in the organization)',
  sections: ['groups'],
  scope: 'stack',
  reads: ['mailNickname'],
  messages: { taken: '"{other}" already has the mail nickname "{given}"' },
  check({ name, value }, context) {
    if (!isUnified(value)) return;
    const given = value.mailNickname ?? name;
    const other = context.index.saidBefore('group-mail-nickname-unique', given, name);
    if (other !== undefined) context.report({ messageId: 'taken', path: ['mailNickname'], parameters: { given, other } });
  },
});
