import { defineRule } from '../../engine/rule.js';
import { isUnified } from '../../engine/stack-index.js';
import { parseMembershipRule } from '../../../kinds/membership-rule/index.js';

export const groupDynamicRule = defineRule({
  id: 'group-dynamic-rule',
  title: 'A dynamic group has one rule, and the rule can be read.',
  why: 'The directory refuses DynamicMembership without a rule, and a rule with a mistake.',
  severity: 'error',
  source:
    'Directory rules, "States and transitions" (Static membership), "Group properties" (membershipRule) and "Dynamic group create shape"',
  sections: ['groups'],
  reportsSchemaMistakesOf: ['dynamicMembership.rule', 'membershipRule'],
  reads: [
    'kind',
    'dynamicMembership',
    'membershipRule',
    'membershipRuleProcessingState',
    'groupTypes',
  ],
  messages: {
    maxLength: 'the rule has {length} characters; at most {limit} are allowed',
    minLength: 'the rule is empty',
    syntax: "the rule can't be read: {reason}",
    missing:
      'groupTypes has DynamicMembership, but there is no rule: declare dynamicMembership: { rule: … }',
    twice: 'there are two rules: dynamicMembership and membershipRule; keep one',
    state: 'membershipRuleProcessingState is {given}, but the group has no rule',
    devices: 'the rule is about devices, but only users can be members of a unified group',
    types: 'groupTypes lacks DynamicMembership, but the group has a rule',
  },
  check({ value }, context) {
    const {
      dynamicMembership,
      membershipRule,
      membershipRuleProcessingState: state,
      groupTypes,
    } = value;
    const rule = dynamicMembership?.rule ?? membershipRule;
    if (dynamicMembership !== undefined && membershipRule !== undefined)
      context.report({ messageId: 'twice', path: ['membershipRule'], at: 'key' });
    if (rule === undefined) {
      if (groupTypes?.includes('DynamicMembership') === true)
        context.report({
          messageId: 'missing',
          path: ['groupTypes', groupTypes.indexOf('DynamicMembership')],
        });
      if (state !== undefined)
        context.report({ messageId: 'state', path: ['membershipRuleProcessingState'] });
      return;
    }
    if (groupTypes !== undefined && !groupTypes.includes('DynamicMembership'))
      context.report({ messageId: 'types', path: ['groupTypes'] });
    if (typeof rule !== 'string' || rule === '') return;
    const { error, rule: parsed } = parseMembershipRule(rule);
    const path =
      dynamicMembership?.rule === undefined ? ['membershipRule'] : ['dynamicMembership', 'rule'];
    if (parsed?.subject === 'device' && isUnified(value))
      context.report({ messageId: 'devices', path, parameters: { given: rule } });
    if (error === undefined) return;
    const { message, position, suggestion } = error;
    const correction =
      suggestion && `${rule.slice(0, position)}${suggestion.text}${rule.slice(suggestion.end)}`;
    const fix = correction === undefined ? undefined : { value: correction };
    context.report({
      messageId: 'syntax',
      path,
      parameters: { given: rule, reason: message, position },
      fix,
    });
  },
});
