import { defineRule } from '../engine/rule.js';

/** Required properties are declared. */
export const propertyRequired = defineRule({
  id: 'property-required',
  title: 'Required properties are declared.',
  why: 'The service refuses an object without a required property, half-way through an apply.',
  severity: 'error',
  source: 'the tables of fields in all three documents',
  sections: [],
  messages: { required: '{property} is missing: {description}' },
});
