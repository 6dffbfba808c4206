import { computed, nested, optional } from '../build.js';
import { matches, notEmpty } from '../checks.js';
import type { Attribute, ConfigRule } from '../schema.js';
import { isMap } from '../../values/value.js';

/** What eventhouse and eventstream have besides what their descriptions say. */
export const itemAttributes: Readonly<Record<string, Attribute>> = {
  id: computed('string', { description: 'The item. Import takes <workspace>/<item>.' }),
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
