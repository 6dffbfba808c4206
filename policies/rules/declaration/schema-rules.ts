import { defineRule } from '../../engine/rule.js';

// Rules whose findings come from the schema; schema-findings.ts creates them.

export const propertyReadOnly = defineRule({
  id: 'property-read-only',
  title: 'Properties that only the service sets are not declared.',
  why: 'The service refuses such a property in every request, or silently ignores it.',
  severity: 'error',
  source: 'Directory rules, "Group properties", the rows marked read-only',
  sections: [],
  messages: { readOnly: '{property} is set by the service; remove it' },
});

export const propertyRequired = defineRule({
  id: 'property-required',
  title: 'Required properties are declared.',
  why: 'The service refuses an object without a required property, half-way through an apply.',
  severity: 'error',
  source: 'the tables of fields in all three documents',
  sections: [],
  messages: { required: '{property} is missing: {description}' },
});

export const propertyType = defineRule({
  id: 'property-type',
  title: 'Every value has the type of its property.',
  why: 'The service refuses a value of another type; in a sign-in setting, text in place of a boolean goes unnoticed.',
  severity: 'error',
  source: 'the tables of fields in all three documents',
  sections: [],
  messages: { type: '{property} must be {wanted}, not {given}' },
});

export const propertyUnknown = defineRule({
  id: 'property-unknown',
  title: 'Only known properties are used.',
  why: 'A misspelt property silently has no effect, or is refused half-way through an apply.',
  severity: 'error',
  source: 'the tables of fields in all three documents',
  sections: [],
  messages: { unknown: '{property} is not a property here{hint}' },
});

export const propertyValue = defineRule({
  id: 'property-value',
  title: 'Every value is within the limits of its property.',
  why: 'A service refuses any other value, half-way through an apply.',
  severity: 'error',
  source: 'the tables of fields and the limits in all three documents',
  sections: [],
  messages: {
    enum: '{property} is "{given}"; allowed: {allowed}{hint}',
    pattern:
      '{property} is "{given}", which has the wrong format: it must have {form}. {description}',
    minLength: '{property} must have at least {amount}',
    maxLength: '{property} has {length} characters; at most {limit} are allowed',
    minimum: '{property} is {given}; must be at least {limit}',
    maximum: '{property} is {given}; must be at most {limit}',
    minItems: '{property} must have at least {amount}',
    maxItems: '{property} has {length} entries; at most {limit} are allowed',
    minProperties: '{property} must have at least {amount}',
    maxProperties: '{property} may have at most {amount}',
    allowedNumbers: '{property} is {given}; allowed: {words}; the nearest is {nearest}',
    validate: '{property}: {words}',
    name: '"{given}" is not an allowed name here: {form}',
    other: '{property} is not allowed as it is. {description}',
  },
});

export const secretLiteral = defineRule({
  id: 'secret-literal',
  title: 'Secrets are references, never literals.',
  why: 'Anyone who can read the repository, the synthesized JSON or a log could sign in as the app.',
  severity: 'error',
  source:
    'Sign-in rules, "Configuring the directory identity provider"; the cloud takes names of secrets only',
  sections: [],
  messages: {
    literal:
      'the secret is written in clear: write ${env:NAME}, secret:NAME or keyvault:URL instead, and change the secret',
    braces: 'a variable of the environment is written with braces: ${env:NAME}',
    bound:
      'the secret "{name}" is in the synthesized JSON in clear: use a sensitive TerraformVariable or key_vault_secret_id instead, and change the secret',
  },
});
