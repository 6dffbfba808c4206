import { defineRule } from '../engine/rule.js';

/** Every value has the type that its property wants. */
export const propertyType = defineRule({
  id: 'property-type',
  title: 'Every value has the type that its property wants.',
  why: 'A service refuses a value of another type; in the bodies of the sign-in layer a text in place of a boolean is not even noticed.',
  severity: 'error',
  source: 'the tables of fields in all three documents',
  sections: [],
  messages: { type: '{property} must be {wanted}, not {given}' },
});
