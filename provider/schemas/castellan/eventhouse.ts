import { eventhouse as kind } from '../../../kinds/eventhouse/eventhouse.js';
import { answeredAttributes, describedAttributes } from '../described.js';
import { schema as fabricSchema } from '../fabric/index.js';
import { nested } from '../build.js';
import type { ResourceSchema } from '../schema.js';
import { definitionRule, itemAttributes } from './item-attributes.js';

/** What the official resource has of an eventhouse. */
const official = fabricSchema.resources['fabric_eventhouse']?.attributes['properties']?.nested?.attributes ?? {};

/** An eventhouse with what fabric_eventhouse can't say: sensitivity label, several definition parts, `.platform`, format. */
export const eventhouse: ResourceSchema = {
  version: 0,
  description:
    'An eventhouse with a sensitivity label, any definition parts or a definition format. Replacing or destroying it loses its data.',
  attributes: {
    ...itemAttributes,
    ...describedAttributes(kind, 'castellan_eventhouse'),
    properties: nested('computed', 'single', { ...official, ...answeredAttributes(kind, 'properties') }, { volatile: true }),
  },
  rules: [definitionRule],
};
