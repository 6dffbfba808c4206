import { defineRule } from '../engine/rule.js';

/** Only known properties are used. */
export const propertyUnknown = defineRule({
  id: 'property-unknown',
  title: 'Only known properties are used.',
  why: 'A misspelt property silently has no effect, or is refused half-way through an apply.',
  severity: 'error',
  source: 'the tables of fields in all three documents',
  sections: [],
  messages: { unknown: '{property} is not a property here{hint}' },
});
