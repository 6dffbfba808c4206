import { eventhouse as kind } from '../../../kinds/eventhouse/eventhouse.js';
import { answeredAttributes, describedAttributes } from '../described.js';
import { eventhouse as official } from '../fabric/eventhouse.js';
import { nested } from '../build.js';
import type { ResourceSchema } from '../schema.js';
import { definitionRule, itemAttributes } from './item-attributes.js';

/** What the official resource shows of an eventhouse. */
const shown = official.attributes['properties']?.nested?.attributes ?? {};

/** An eventhouse with what fabric_eventhouse can't say: sensitivity label, several definition parts, `.platform`, format. */
export const eventhouse: ResourceSchema = {
  version: 0,
  description:
    'An eventhouse with a sensitivity label, any definition parts or a definition format. Replacing or destroying it loses its data.',
  attributes: {
    ...itemAttributes,
    ...describedAttributes(kind, 'castellan_eventhouse'),
    properties: nested('computed', 'single', { ...shown, ...answeredAttributes(kind, 'properties') }, { volatile: true }),
  },
  rules: [definitionRule],
};
