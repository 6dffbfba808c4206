import { defineRule } from '../engine/rule.js';

/** The policy names what exists: rules and their options, stacks, environments. */
export const policyRule = defineRule({
  id: 'policy-rule',
  title: 'The policy names existing rules with their options, and existing stacks and environments.',
  why: 'A misspelt id, option or name would silently have no effect.',
  severity: 'error',
  source: 'castellan.policy.yaml',
  sections: [],
  messages: {
    unknown: 'there is no rule "{given}"{hint}',
    option: '"{given}" is not an option of {rule}{hint}',
    scope: 'there is no {kind} "{given}"{hint}',
    value: '{option} of {rule} is {given}; allowed: {allowed}',
  },
});
