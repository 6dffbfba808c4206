import { defineRule } from '../engine/rule.js';

/** The policy names rules that exist. */
export const policyRule = defineRule({
  id: 'policy-rule',
  title: 'The policy names rules that exist.',
  why: 'A misspelt id would switch nothing, without a word.',
  severity: 'error',
  source: 'castellan.policy.yaml',
  sections: [],
  messages: {
    unknown: 'there is no rule "{given}"{hint}',
  },
});
