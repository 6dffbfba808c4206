import { defineRule } from '../engine/rule.js';

/** Every value is one that its property allows. */
export const propertyValue = defineRule({
  id: 'property-value',
  title: 'Every value is one that its property allows.',
  why: 'A service refuses any other value, half-way through an apply.',
  severity: 'error',
  source: 'the tables of fields and the limits in all three documents',
  sections: [],
  messages: {
    enum: '{property} is "{given}"; allowed: {allowed}{hint}',
    pattern: '{property} is "{given}", which has not the right form. {description}',
    minLength: '{property} must have at least {limit} characters',
    maxLength: '{property} has {length} characters; at most {limit} are allowed',
    minimum: '{property} is {given}; at least {limit} is allowed',
    maximum: '{property} is {given}; at most {limit} is allowed',
    minItems: '{property} must have at least {limit} entries',
    maxItems: '{property} has {length} entries; at most {limit} are allowed',
    minProperties: '{property} must have at least {limit} entries',
    maxProperties: '{property} may have at most {limit} entries',
    name: '"{given}" is not a possible name here; it must match {pattern}',
    other: '{property} is not allowed as it is. {description}',
  },
});
