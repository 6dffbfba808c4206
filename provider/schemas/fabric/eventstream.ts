import { eventstreamDefinition } from './definition-rules.js';
import { itemAttributes, itemDataAttributes } from './item-attributes.js';
import type { ResourceSchema } from '../schema.js';

/** The resource fabric_eventstream. */
export const eventstream: ResourceSchema = {
  version: 0,
  attributes: itemAttributes,
  rules: [eventstreamDefinition],
};

/** The data source fabric_eventstream. */
export const eventstreamData: ResourceSchema = { version: 0, attributes: itemDataAttributes };
