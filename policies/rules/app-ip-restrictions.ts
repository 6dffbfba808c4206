import { defineRule } from '../engine/rule.js';

/** The address rules of an app all allow, or all deny. */
export const appIpRestrictions = defineRule({
  id: 'app-ip-restrictions',
  title: 'All address rules of an app have the same action.',
  why: 'The hosting service refuses a mixture.',
  severity: 'error',
  source: 'the hosting service',
  sections: ['containerApps'],
  reads: ['ingress.ipRestrictions'],
  messages: { mixed: 'this rule says {given}, the first one says {first}; all must be the same' },
  check({ value }, context) {
    const rules = value.ingress?.ipRestrictions;
    const first = rules?.[0]?.action;
    rules?.forEach(({ action, name }, index) => {
      if (action !== first)
        context.report({
          messageId: 'mixed',
          path: ['ingress', 'ipRestrictions', index, 'action'],
          parameters: { given: action, first, name },
        });
    });
  },
});
