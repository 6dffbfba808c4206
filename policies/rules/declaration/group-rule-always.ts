import { defineRule } from '../../engine/rule.js';
import { analysisOf, ruleOfGroup } from '../../model/membership-rules.js';

/** The documented rule for everybody. */
const everybodyPattern = /^\s*\(?\s*(?:user|device)\.objectid\s+-?ne\s+\$?null\s*\)?\s*$/i;

export const groupRuleAlways = defineRule({
  id: 'group-rule-always',
  title: 'The rule of a group leaves somebody out.',
  why: 'A rule with conditions that everybody fulfils looks like a restriction and is none; for everybody there is user.objectId -ne null.',
  severity: 'warning',
  source: 'Directory rules, "Group properties", `membershipRule`',
  sections: ['groups'],
  reads: ['dynamicMembership', 'membershipRule'],
  messages: {
    always: 'everyone matches the rule, whatever their attributes: correct it, or remove it',
  },
  check({ value }, context) {
    const declaredRule = ruleOfGroup(value);
    if (declaredRule === undefined || everybodyPattern.test(declaredRule.rule.text)) return;
    if (analysisOf(declaredRule.rule, context.now).verdict === 'always')
      context.report({ messageId: 'always', path: declaredRule.path });
  },
});
