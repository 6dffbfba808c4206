import { defineRule } from '../../engine/rule.js';
import { isUnified } from '../../engine/stack-index.js';

export const groupVisibility = defineRule({
  id: 'group-visibility',
  title: 'Visibility is Private, Public or, for unified groups only, HiddenMembership.',
  why: 'The directory refuses HiddenMembership on other groups; it can be set at creation only and never changed.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (visibility) and "Visibility options"',
  sections: ['groups'],
  whenDeclared: 'visibility',
  reportsSchemaMistakesOf: ['visibility'],
  reads: ['visibility', 'kind', 'groupTypes'],
  messages: {
    enum: 'visibility is "{given}"; allowed: {allowed}{hint}',
    hidden: 'HiddenMembership is for unified groups only; a security group is Private',
  },
  check({ value }, context) {
    if (value.visibility !== 'HiddenMembership' || isUnified(value)) return;
    context.report({
      messageId: 'hidden',
      path: ['visibility'],
      parameters: { given: value.visibility },
      fix: { value: 'Private' },
    });
  },
});
