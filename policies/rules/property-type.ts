import { defineRule } from '../engine/rule.js';

/** Every value has the type of its property. */
export const propertyType = defineRule({
  id: 'property-type',
  title: 'Every value has the type of its property.',
  why: 'The service refuses a value of another type; in a sign-in setting, text in place of a boolean goes unnoticed.',
  severity: 'error',
  source: 'the tables of fields in all three documents',
  sections: [],
  messages: { type: '{property} must be {wanted}, not {given}' },
});
