import { eventstream as kind } from '../../../kinds/eventstream/schema.js';
import { describedAttributes } from '../described.js';
import type { ResourceSchema } from '../schema.js';
import { definitionRule, itemAttributes } from './item-attributes.js';

/** An eventstream with what fabric_eventstream can't say: sensitivity label, several definition parts, `.platform`, format. */
export const eventstream: ResourceSchema = {
  version: 0,
  description:
    'An eventstream with a sensitivity label, any definition parts (topology beside retention, .platform) or a definition format.',
  attributes: { ...itemAttributes, ...describedAttributes(kind, 'castellan_eventstream') },
  rules: [definitionRule],
};
