import { Number as NumberSchema, Unsafe } from '@sinclair/typebox';
import {
  closedObject,
  type DeclarationOf,
  list,
  recordOf,
  text,
  enumOf,
} from '../schema/schema-builders.js';

/** The setting of a rule: off, a severity, or a severity with options. */
const ruleSetting = Unsafe<
  | 'off'
  | 'info'
  | 'warning'
  | 'error'
  | { severity?: 'off' | 'info' | 'warning' | 'error'; options?: Record<string, unknown> }
>({
  description: 'off, info, warning or error; or { severity, options }.',
  type: ['string', 'object'],
  if: { type: 'string' },
  then: { enum: ['off', 'info', 'warning', 'error'] },
  else: {
    properties: {
      severity: { type: 'string', enum: ['off', 'info', 'warning', 'error'] },
      options: { type: 'object' },
    },
    additionalProperties: false,
  },
});

const ruleSettings = recordOf(ruleSetting, {
  namePattern: '^[a-z][a-z0-9-]*$',
  patternDescription: 'only lower-case letters, digits and hyphens, and a letter at its beginning',
  description: 'Settings of rules by id.',
});

const suppressionSchema = closedObject(
  {
    rule: text('The id of the rule.', { minLength: 1 }),
    path: text('The configuration path it is for, such as containerApps.shop.ingress.external.', {
      minLength: 1,
    }),
    fingerprint: text('The fingerprint of the finding it is for.', { pattern: '^[0-9a-f]{16}$' }),
    value: Unsafe<unknown>({
      description: 'The value it is for: with another value, it is reported again.',
    }),
    stack: text('The stack it is for. Default: every stack.', { minLength: 1 }),
    environments: list(
      text('An environment; `default` is the one without an overlay.', { minLength: 1 }),
      {
        description: 'The environments it is for. Default: all.',
        minItems: 1,
      },
    ),
    reason: text('Why the finding is accepted.', { minLength: 1 }),
    owner: text('Who is responsible for it.', { minLength: 1 }),
    until: text('The last day on which it holds: YYYY-MM-DD.', {
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    }),
  },
  { required: ['rule', 'reason', 'owner', 'until'] },
);

/** The permissions that a pack may be granted. */
export const packPermissions = ['fileSystem', 'network', 'childProcesses', 'environment'] as const;
/** A permission for the rules of a pack. */
export type PackPermission = (typeof packPermissions)[number];

const packSchema = closedObject({
  file: text(
    'A file of rules: TypeScript or JavaScript, a JSON Schema, or Rego compiled to WebAssembly (policy.wasm or bundle.tar.gz).',
    {
      minLength: 1,
    },
  ),
  package: text('The npm name of a pack of rules.', { minLength: 1 }),
  integrity: text('The hash of the package, or of the file: sha256-… or sha512-….', {
    pattern: '^sha(256|512)-[A-Za-z0-9+/]+=*$',
  }),
  allow: list(enumOf(packPermissions, { description: 'A permission.' }), {
    description: 'Permissions of the rules beyond the input that they check. Default: none.',
  }),
  timeLimitSeconds: NumberSchema({
    exclusiveMinimum: 0,
    maximum: 600,
    description: 'How long the rules may run.',
    default: 5,
  }),
  resources: list(
    text('A Terraform type, such as azurerm_storage_account, or * for all.', { minLength: 1 }),
    {
      description:
        'Of a JSON Schema or Rego: the Terraform types whose resources of a plan or state it is for.',
      minItems: 1,
    },
  ),
  section: text('Of a JSON Schema: the section whose declarations it is for.', { minLength: 1 }),
  id: text('Of a JSON Schema or Rego: the id of the rule. Default: the name of the file.', {
    pattern: '^[a-z][a-z0-9-]*$',
  }),
  title: text('Of a JSON Schema or Rego: the requirement of the rule.', { minLength: 1 }),
  data: text('Of Rego: a JSON file with the data of the policy, in place of that of its bundle.', {
    minLength: 1,
  }),
  severity: enumOf(['info', 'warning', 'error'], {
    description: 'Of a JSON Schema or Rego: the severity of a finding.',
    default: 'error',
  }),
});

const scopeSchema = closedObject(
  {
    stacks: list(text('A stack.', { minLength: 1 }), {
      description: 'The stacks it is for. Default: all.',
      minItems: 1,
    }),
    environments: list(
      text('An environment; `default` is the one without an overlay.', { minLength: 1 }),
      { description: 'The environments it is for. Default: all.', minItems: 1 },
    ),
    rules: ruleSettings,
  },
  { required: ['rules'] },
);

/** The schema of castellan.policy.yaml, version 1. */
export const policySchema = closedObject(
  {
    version: enumOf([1], { description: 'The version of the format.' }),
    rules: ruleSettings,
    scopes: list(scopeSchema, {
      description: 'Settings for some stacks or environments; later ones win.',
    }),
    suppressions: list(suppressionSchema, {
      description: 'Findings that are accepted for a time.',
    }),
    packs: list(packSchema, { description: 'Custom rules.' }),
    baseline: text('The baseline file, relative to this file.', { minLength: 1 }),
    include: list(text('A policy file, relative to this file.', { minLength: 1 }), {
      description:
        'Policies that are applied first. The settings of this one come later and win, except for rules that an included policy locks.',
      minItems: 1,
    }),
    locked: list(text('The id of a rule.', { minLength: 1 }), {
      description:
        'Rules that policies which include this one, scopes, suppressions and baselines cannot change or accept.',
      minItems: 1,
    }),
    suppressionLimits: closedObject(
      {
        longest: text('How many days a suppression may still run, such as 90d.', {
          pattern: '^[1-9][0-9]{0,3}d$',
        }),
        approvedBy: list(
          text('An owner in CODEOWNERS, such as @shop/security.', { minLength: 2 }),
          {
            description:
              'Who must own the file of a suppression in CODEOWNERS, and nobody else: the code host lets any one owner of a file approve.',
            minItems: 1,
          },
        ),
      },
      { description: 'What a suppression needs to accept a finding.' },
    ),
  },
  {
    description: 'Which rules run, with which severity, and which findings are accepted.',
    required: ['version'],
  },
);

/** The content of castellan.policy.yaml. */
export type PolicyConfig = DeclarationOf<typeof policySchema>;
/** A finding that is accepted for a period. */
export type SuppressionConfig = DeclarationOf<typeof suppressionSchema>;
/** Custom rules: a file, or a package. */
export type PackConfig = DeclarationOf<typeof packSchema>;
/** The setting of a rule. */
export type RuleSetting = DeclarationOf<typeof ruleSetting>;
