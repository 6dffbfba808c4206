import { defineRule } from '../engine/rule.js';

/** Everything that must be said is said. */
export const propertyRequired = defineRule({
  id: 'property-required',
  title: 'Everything that must be said is said.',
  why: 'A service refuses what lacks a required property, half-way through an apply.',
  severity: 'error',
  source: 'the tables of fields in all three documents',
  sections: [],
  messages: { required: '{property} is missing: {description}' },
});
