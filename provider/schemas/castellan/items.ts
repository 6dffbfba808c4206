import { computed, nested, optional } from '../schema-builders.js';
import { matches, notEmpty } from '../checks.js';
import type { Attribute, ConfigValidator, ResourceSchema } from '../schema.js';
import { isMap } from '../../values/value.js';
import { eventhouse as eventhouseKind } from '../../../kinds/eventhouse/eventhouse.js';
import { responseAttributes, describedAttributes } from '../described-schema.js';
import { schema as fabricSchema } from '../fabric/index.js';
import { eventstream as eventstreamKind } from '../../../kinds/eventstream/eventstream.js';

/** Attributes of eventhouse and eventstream beyond their descriptions. */
const itemAttributes: Readonly<Record<string, Attribute>> = {
  id: computed('string', { description: "The item's id. Imports take <workspace>/<item>." }),
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
  assigned_label_id: computed('string', {
    description: 'The label that the item carries.',
    volatile: true,
  }),
};

/** Each part has its content in exactly one form, and there is at least one part. */
const definitionValidator: ConfigValidator = function* (config) {
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
    const sources = ['content', 'content_base64'].filter((name) => (part[name] ?? null) !== null);
    if (sources.length !== 1)
      yield {
        severity: 'error',
        summary: 'A definition part needs exactly one of content and content_base64',
        detail: `Part "${key}" has ${sources.length === 0 ? 'neither' : 'both'}.`,
        path: ['definition', 'parts', { key }],
      };
  }
};

/** The attributes of the official eventhouse resource. */
const officialProperties =
  fabricSchema.resources['fabric_eventhouse']?.attributes['properties']?.nested?.attributes ?? {};

/**
 * An eventhouse with what fabric_eventhouse lacks: sensitivity label, several definition parts,
 * `.platform`, format.
 */
export const eventhouse: ResourceSchema = {
  version: 0,
  description:
    'An eventhouse with a sensitivity label, any definition parts or a definition format. Replacing or destroying it loses its data.',
  attributes: {
    ...itemAttributes,
    ...describedAttributes(eventhouseKind, 'castellan_eventhouse'),
    properties: nested(
      'computed',
      'single',
      { ...officialProperties, ...responseAttributes(eventhouseKind, 'properties') },
      { volatile: true },
    ),
  },
  configValidators: [definitionValidator],
};

/**
 * An eventstream with what fabric_eventstream lacks: sensitivity label, several definition parts,
 * `.platform`, format.
 */
export const eventstream: ResourceSchema = {
  version: 0,
  description:
    'An eventstream with a sensitivity label, any definition parts (topology beside retention, .platform) or a definition format.',
  attributes: {
    ...itemAttributes,
    ...describedAttributes(eventstreamKind, 'castellan_eventstream'),
  },
  configValidators: [definitionValidator],
};
