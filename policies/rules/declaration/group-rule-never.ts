import { defineRule } from '../../engine/rule.js';
import { analysisOf, ruleOfGroup } from '../../model/membership-rules.js';

export const groupRuleNever = defineRule({
  id: 'group-rule-never',
  title: 'The rule of a group can select somebody.',
  why: 'A group that nobody can ever be in lets nobody in, and nothing says so.',
  severity: 'warning',
  source: 'Directory rules, "Group properties", `membershipRule`',
  sections: ['groups'],
  reads: ['dynamicMembership', 'membershipRule'],
  messages: { never: 'nobody can match the rule, whatever their attributes: correct it' },
  check({ value }, context) {
    const declared = ruleOfGroup(value);
    if (declared === undefined) return;
    if (analysisOf(declared.rule, context.now).verdict === 'never')
      context.report({ messageId: 'never', path: declared.path });
  },
});
