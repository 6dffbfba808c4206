import { defineRule } from '../engine/rule.js';
import { isUnified, type StackIndex } from '../engine/stack-index.js';

const seenIn = new WeakMap<StackIndex, Map<string, string>>();

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
    const seen = seenIn.get(context.index) ?? new Map<string, string>();
    seenIn.set(context.index, seen);
    const nickname = (value.mailNickname ?? name).toLowerCase();
    const other = seen.get(nickname);
    if (other === undefined || other === name) seen.set(nickname, name);
    else context.report({ messageId: 'taken', path: ['mailNickname'], parameters: { given: value.mailNickname ?? name, other } });
  },
});
