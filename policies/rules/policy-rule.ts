import { defineRule } from '../engine/rule.js';

/** The policy names what exists: rules and their options, stacks, environments. */
export const policyRule = defineRule({
  id: 'policy-rule',
  title: 'The policy names rules that exist, with options that they have, and stacks and environments that are there.',
  why: 'A misspelt id, option or name would switch nothing, without a word.',
  severity: 'error',
  source: 'castellan.policy.yaml',
  sections: [],
  messages: {
    unknown: 'there is no rule "{given}"{hint}',
    option: '"{given}" is no option of {rule}{hint}',
    scope: 'there is no {kind} "{given}"{hint}',
    value: '{option} of {rule} is {given}; allowed: {allowed}',
  },
});
