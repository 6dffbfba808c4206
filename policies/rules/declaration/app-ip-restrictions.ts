import { defineRule } from '../../engine/rule.js';

export const appIpRestrictions = defineRule({
  id: 'app-ip-restrictions',
  title: 'The address rules of an app have valid ranges, unique names and one action.',
  why: 'The hosting service refuses a mixture of actions and an invalid range.',
  severity: 'error',
  source: 'the hosting service',
  sections: ['containerApps'],
  whenDeclared: 'ingress',
  reportsSchemaMistakesOf: [
    {
      path: 'ingress.ipRestrictions.*.range',
      keywords: ['pattern', 'validate'],
      messageIds: { pattern: 'range', validate: 'range' },
    },
  ],
  reads: ['ingress.ipRestrictions'],
  messages: {
    mixed: 'this rule has the action {given}, the first one has {first}; all must be the same',
    range: '"{given}" is not an address range such as 203.0.113.0/24',
    twice: 'another rule has the name "{given}"',
  },
  check({ value }, context) {
    const rules = value.ingress?.ipRestrictions;
    const first = rules?.[0]?.action;
    const names = new Set<string>();
    // a rule without a name or an action is a mistake of its own
    rules?.forEach(({ action, name }, index) => {
      const path = ['ingress', 'ipRestrictions', index];
      if (name !== undefined && names.has(name))
        context.report({
          messageId: 'twice',
          path: [...path, 'name'],
          parameters: { given: name },
        });
      names.add(name);
      if (action !== undefined && first !== undefined && action !== first)
        context.report({
          messageId: 'mixed',
          path: [...path, 'action'],
          parameters: { first, name },
        });
    });
  },
});
