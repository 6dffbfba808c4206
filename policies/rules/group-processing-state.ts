import { defineRule } from '../engine/rule.js';

/** The processing of a rule is On or Paused. */
export const groupProcessingState = defineRule({
  id: 'group-processing-state',
  title: 'The processing of a membership rule is On or Paused.',
  why: 'The directory knows no other state.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (membershipRuleProcessingState) and "States and transitions"',
  sections: ['groups'],
  claims: [
    { section: 'groups', path: 'dynamicMembership.processing' },
    { section: 'groups', path: 'membershipRuleProcessingState' },
  ],
  messages: { enum: 'the processing state is "{given}"; allowed: {allowed}{hint}' },
});
