import { itemProperties } from '../../../kinds/item/item.js';
import { computed, nested, optional, required } from '../build.js';
import { matches, notEmpty, uuid } from '../checks.js';
import { described } from '../described.js';
import type { Attribute, ConfigRule } from '../schema.js';
import { sameIgnoringCase } from '../spelling.js';
import { isMap } from '../../values/value.js';

const { displayName, description, sensitivityLabelSettings } = itemProperties;

/** What eventhouse and eventstream have in common here, with the limits of the service. */
export const itemAttributes: Readonly<Record<string, Attribute>> = {
  id: computed('string', { description: 'The item. Import takes <workspace>/<item>.' }),
  workspace_id: required('string', { forceNew: true, checks: [uuid], same: sameIgnoringCase }),
  display_name: required('string', {
    checks: [described(displayName)],
  }),
  description: optional('string', { default: '', checks: [described(description)] }),
  folder_id: optional('string', {
    checks: [uuid],
    same: sameIgnoringCase,
    description: 'The folder; absent: the workspace itself. A change moves the item.',
  }),
  tags: optional(['set', 'string'], { default: [], checks: [uuid], description: 'Tag ids.' }),
  sensitivity_label: nested(
    'optional',
    'single',
    {
      label_id: required('string', { forceNew: true, checks: [uuid] }),
      apply_strategy: optional('string', {
        default: 'ApplyOrFail',
        checks: [described(sensitivityLabelSettings.properties.sensitivityLabelApplyStrategy)],
        description: 'Counts only when the item is created.',
      }),
    },
    { description: 'The label that the item is created with. Another label, or none, needs a new item.' },
  ),
  definition: nested(
    'optional',
    'single',
    {
      format: optional('string', { checks: [notEmpty], description: 'Such as "eventstream".' }),
      parts: nested('required', 'map', {
        content: optional('string', { description: 'The text of the file.' }),
        content_base64: optional('string', {
          checks: [matches(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64')],
          description: 'The bytes of the file, for what is not text.',
        }),
      }),
    },
    {
      description:
        'The files of the item by their path. A change updates the definition in place; files that are not named are left to the service.',
    },
  ),
  assigned_label_id: computed('string', { description: 'The label that the item carries.', volatile: true }),
};

/** Each part has its content in exactly one way, and there is at least one part. */
export const definitionRule: ConfigRule = function* (config) {
  const { definition } = config;
  const parts = isMap(definition) ? definition['parts'] : undefined;
  if (!isMap(parts)) return;
  if (Object.keys(parts).length === 0)
    yield {
      severity: 'error',
      summary: 'A definition without parts',
      detail: 'Name at least one file, or leave the definition out.',
      path: ['definition', 'parts'],
    };
  for (const [key, part] of Object.entries(parts)) {
    if (!isMap(part)) continue;
    const written = ['content', 'content_base64'].filter((name) => (part[name] ?? null) !== null);
    if (written.length !== 1)
      yield {
        severity: 'error',
        summary: 'A definition part needs exactly one of content and content_base64',
        detail: `Part "${key}" has ${written.length === 0 ? 'neither' : 'both'}.`,
        path: ['definition', 'parts', { key }],
      };
  }
};
