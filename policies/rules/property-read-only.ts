import { defineRule } from '../engine/rule.js';

/** Properties that only the service sets are not declared. */
export const propertyReadOnly = defineRule({
  id: 'property-read-only',
  title: 'Properties that only the service sets are not declared.',
  why: 'The service refuses such a property in every request, or silently ignores it.',
  severity: 'error',
  source: 'Directory rules, "Group properties", the rows marked read-only',
  sections: [],
  messages: { readOnly: '{property} is set by the service; remove it' },
});
