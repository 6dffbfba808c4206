import { defineRule } from '../engine/rule.js';

/** The policy names rules that exist, and options that they have. */
export const policyRule = defineRule({
  id: 'policy-rule',
  title: 'The policy names rules that exist, with options that they have.',
  why: 'A misspelt id or option would switch nothing, without a word.',
  severity: 'error',
  source: 'castellan.policy.yaml',
  sections: [],
  messages: {
    unknown: 'there is no rule "{given}"{hint}',
    option: '"{given}" is no option of {rule}{hint}',
    value: '{option} of {rule} is {given}; allowed: {allowed}',
  },
});
