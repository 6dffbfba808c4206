import { defineRule } from '../../engine/rule.js';
import { analysisOf, ruleOfGroup } from '../../model/membership-rules.js';

export const groupRuleClauseWithoutEffect = defineRule({
  id: 'group-rule-clause-without-effect',
  title: 'Each clause of the rule of a group changes whom it selects.',
  why: 'A clause without effect was meant to have one: its author believes in a restriction that is none.',
  severity: 'info',
  source: 'Directory rules, "Group properties", `membershipRule`',
  sections: ['groups'],
  reads: ['dynamicMembership', 'membershipRule'],
  messages: { idle: '{given} changes nothing: {why}' },
  check({ value }, context) {
    const declaredRule = ruleOfGroup(value);
    if (declaredRule === undefined) return;
    for (const { text, why } of analysisOf(declaredRule.rule, context.now).withoutEffect)
      context.report({
        messageId: 'idle',
        path: declaredRule.path,
        parameters: { given: text, why },
      });
  },
});
