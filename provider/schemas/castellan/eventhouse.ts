import { eventhouse as kind } from '../../../kinds/eventhouse/eventhouse.js';
import { describedAttributes } from '../described.js';
import { eventhouse as official } from '../fabric/eventhouse.js';
import type { Attribute, ResourceSchema } from '../schema.js';
import { definitionRule, itemAttributes } from './item-attributes.js';

/** An eventhouse with what fabric_eventhouse can't say: sensitivity label, several definition parts, `.platform`, format. */
export const eventhouse: ResourceSchema = {
  version: 0,
  description:
    'An eventhouse with a sensitivity label, any definition parts or a definition format. Replacing or destroying it loses its data.',
  attributes: {
    ...itemAttributes,
    ...describedAttributes(kind, 'castellan_eventhouse'),
    properties: official.attributes['properties'] as Attribute,
  },
  rules: [definitionRule],
};
