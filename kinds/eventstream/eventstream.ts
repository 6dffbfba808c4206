import { documentationUrl } from '../../core/text/documentation-url.js';
import { Unsafe } from '@sinclair/typebox';
import { definitionPartSchema, itemProperties, itemPropertiesSetByService } from '../item/item.js';
import { kind } from '../schema/kind.js';
import {
  closedObject,
  type DeclarationOf,
  list,
  text,
  integer,
  enumOf,
} from '../schema/schema-builders.js';
import { type NodeListName, nodeNouns } from './nodes/index.js';
import { compatibilityLevel } from './nodes/shared-schemas.js';

/**
 * The retention of an eventstream in days: a setting in the definition part
 * `eventstreamProperties.json`.
 */
export const retentionTimeInDays = integer('How many days events are kept.', {
  minimum: 1,
  maximum: 90,
});

/** The throughput level of an eventstream: a setting in the same definition part. */
export const eventThroughputLevel = enumOf(['Low', 'Medium', 'High'], {
  description: 'The throughput level.',
});

/**
 * A node of the graph: its name and type; `nodes/` describes the properties of each type, and a
 * rule checks them.
 */
const nodeSchema = (nodeList: NodeListName) =>
  Unsafe<EventstreamNode>({
    type: 'object',
    description: `One of the ${nodeList}, see ${documentationUrl}/reference/eventstreams.md.`,
    properties: {
      name: text('The name of the node, unique in the eventstream.', { minLength: 1 }),
      type: text(`The type of the ${nodeNouns[nodeList]}.`, { minLength: 1 }),
      ...(nodeList === 'destinations' && {
        eventhouse: text('The eventhouse that it writes to, by name or id.', { minLength: 1 }),
      }),
    },
    required: ['name', 'type'],
    'x-nodes': nodeList,
  });

/** A node of an eventstream's graph. */
export interface EventstreamNode {
  /** The name by which other nodes refer to it. */
  name: string;
  /** The type in the service's spelling: `CustomEndpoint`, `Eventhouse`, … */
  type: string;
  /** The inputs: names, or `{ name }` objects as in the cloud's own document. */
  inputNodes?: (string | { name: string })[];
  /** The eventhouse of this stack that an `Eventhouse` destination writes to. */
  eventhouse?: string;
  /** The properties of the node type, as in the cloud's own document. */
  properties?: Record<string, unknown>;
  /** Other properties of the node type. */
  [property: string]: unknown;
}

/** The graph of an eventstream: inline, in a file, or as parts. */
export const eventstreamDefinitionSchema = closedObject(
  {
    file: text('A file with the document, relative to the configuration file.', { minLength: 1 }),
    format: text('The format of the parts: `eventstream`.', { minLength: 1 }),
    parts: list(definitionPartSchema, {
      description: 'The parts of the definition as the API takes them.',
      minItems: 1,
    }),
    sources: list(nodeSchema('sources'), { description: 'The origins of events.' }),
    streams: list(nodeSchema('streams'), {
      description: 'Streams. Default: one that takes all sources, DISPLAYNAME-stream.',
    }),
    operators: list(nodeSchema('operators'), { description: 'Transformations of events.' }),
    destinations: list(nodeSchema('destinations'), { description: 'The targets of events.' }),
    compatibilityLevel,
  },
  {
    description:
      'The graph of the eventstream: inline, `{ file }`, or the parts that the API takes.',
  },
);

/** An eventstream (Items rules, "Create eventstream"). */
export const eventstream = kind(() => ({
  meaning: 'An eventstream.',
  terraform: { resourceTypes: ['fabric_eventstream', 'castellan_eventstream'] },
  required: ['workspace', 'displayName'],
  properties: {
    ...itemProperties,
    definition: eventstreamDefinitionSchema,
    retentionTimeInDays,
    eventThroughputLevel,
  },
  setByService: itemPropertiesSetByService,
}));

/** An eventstream. */
export type EventstreamProps = DeclarationOf<typeof eventstream.schema>;
/** The graph of an eventstream. */
export type EventstreamDefinitionProps = DeclarationOf<typeof eventstreamDefinitionSchema>;
