import {
  Array as ArraySchema,
  Integer,
  Object as ObjectSchema,
  Optional,
  String as StringSchema,
  Unknown,
  Unsafe,
} from '@sinclair/typebox';
import { closedObject, enumOf } from '../../kinds/schema/schema-builders.js';

const text = (description: string) => StringSchema({ description });
const count = (description: string) => Integer({ minimum: 0, description });

const path = ArraySchema(Unsafe<string | number>({ type: ['string', 'integer'] }), {
  description: "The path in the configuration: ['groups', 'shoppers', 'mailNickname'].",
});

const location = closedObject(
  {
    file: text('The file, as it was given.'),
    line: Integer({ minimum: 1, description: 'From 1.' }),
    column: Integer({ minimum: 1, description: 'From 1, in UTF-16 units.' }),
    endLine: Integer({ minimum: 1 }),
    endColumn: Integer({ minimum: 1, description: 'The column behind the last character.' }),
  },
  {
    description: 'The value that is wrong; the key where a value is missing.',
    required: ['file', 'line', 'column'],
  },
);

const finding = ObjectSchema(
  {
    ruleId: text('The id of the rule.'),
    messageId: text("Which of the rule's messages this is."),
    parameters: ObjectSchema(
      {},
      { additionalProperties: true, description: 'What the message is rendered from.' },
    ),
    verdict: enumOf(['fail', 'unknown', 'pass'], {
      description: 'Broken, not decidable yet, or kept.',
    }),
    severity: enumOf(['error', 'warning', 'info'], {
      description: 'How much a broken rule weighs.',
    }),
    message: text('What was given, what is allowed, what to change.'),
    location: Optional(location),
    path: Optional(path),
    stack: Optional(text('The name of the stack.')),
    environments: Optional(
      ArraySchema(StringSchema(), {
        description: 'The environments that it holds in; `default` is the one without an overlay.',
      }),
    ),
    usedAt: Optional(location),
    constructPath: Optional(text("The construct's path in the tree.")),
    terraformAddress: Optional(text('The address in Terraform, such as azuread_group.shoppers.')),
    liveId: Optional(text('The id in the live service.')),
    fingerprint: StringSchema({
      pattern: '^[0-9a-f]{16}$',
      description: 'The same for the same finding wherever it is seen.',
    }),
    fix: Optional(
      ObjectSchema({
        description: text('What the edit does.'),
        path,
        value: Optional(
          Unknown({ description: 'The value to put there; without one the key goes.' }),
        ),
        key: Optional(text('The name to give the key, whose value stays.')),
      }),
    ),
    further: Optional(
      count('How many more resources the same is said of: of very many, only the first are named.'),
    ),
    change: Optional(enumOf(['new', 'unchanged'], { description: 'Compared with a base.' })),
    weakened: Optional(
      enumOf(
        [
          'rule-off',
          'severity',
          'option',
          'suppression',
          'baseline',
          'pack',
          'include',
          'policy-moved',
        ],
        { description: 'Of policy-weakened: what the change weakens.' },
      ),
    ),
  },
  { description: 'A finding.' },
);

/**
 * The output of `castellan check --format json`, version 1. Names may be added; existing ones stay.
 */
export const reportSchema = ObjectSchema(
  {
    version: enumOf([1], { description: 'The version of this contract.' }),
    policy: Optional(text('The policy that judged, or none.')),
    unjudged: Optional(count('Resources of a plan or a state that no rule judges.')),
    findings: ArraySchema(finding),
    summary: ObjectSchema({
      files: count('Files that were read.'),
      resources: count('Things that are declared.'),
      rules: count('Rules that ran.'),
      errors: count('Broken rules that are errors.'),
      warnings: count('Broken rules that are warnings.'),
      infos: count('Remarks, which fail nothing.'),
      suppressed: count('Findings that are accepted.'),
      baselined: Optional(count('Findings that a baseline knows.')),
      unchanged: Optional(count('Compared with a base: findings that were there before.')),
      fixed: Optional(count('Compared with a base: findings that are gone.')),
      unknown: count("Findings that can't be decided before apply."),
      milliseconds: count('How long it took.'),
    }),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://castellan.dev/schemas/castellan-report-1.json',
    title: 'castellan check --format json',
    description: 'The findings of a check.',
  },
);
