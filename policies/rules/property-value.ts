import { defineRule } from '../engine/rule.js';

/** Every value is within the limits of its property. */
export const propertyValue = defineRule({
  id: 'property-value',
  title: 'Every value is within the limits of its property.',
  why: 'A service refuses any other value, half-way through an apply.',
  severity: 'error',
  source: 'the tables of fields and the limits in all three documents',
  sections: [],
  messages: {
    enum: '{property} is "{given}"; allowed: {allowed}{hint}',
    pattern: '{property} is "{given}", which has the wrong format: it must have {form}. {description}',
    minLength: '{property} must have at least {limit} characters',
    maxLength: '{property} has {length} characters; at most {limit} are allowed',
    minimum: '{property} is {given}; must be at least {limit}',
    maximum: '{property} is {given}; must be at most {limit}',
    minItems: '{property} must have at least {limit} entries',
    maxItems: '{property} has {length} entries; at most {limit} are allowed',
    minProperties: '{property} must have at least {limit} entries',
    maxProperties: '{property} may have at most {limit} entries',
    values: '{property} is {given}; allowed: {words}; the nearest is {nearest}',
    refuses: '{property}: {words}',
    name: '"{given}" is not an allowed name here; it must match {pattern}',
    other: '{property} is not allowed as it is. {description}',
  },
});
