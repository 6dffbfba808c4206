import { defineRule } from '../engine/rule.js';

/** Nothing is declared that only the service sets. */
export const propertyReadOnly = defineRule({
  id: 'property-read-only',
  title: 'Nothing is declared that only the service sets.',
  why: 'Such a property is refused in every request, or ignored without a word.',
  severity: 'error',
  source: 'spec 001, "Group properties", the rows marked read-only',
  sections: [],
  messages: { readOnly: '{property} is set by the service; remove it' },
});
