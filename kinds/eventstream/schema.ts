import { Optional, Unsafe } from '@sinclair/typebox';
import { definitionPartSchema, itemProperties } from '../item/item.js';
import { eventThroughputLevel, retentionTimeInDays } from './stream-settings.js';
import type { Declared } from '../schema/shapes.js';
import { closed, list, text, words } from '../schema/shapes.js';

/** A node of the stream's graph, as it is written: the names of sources and destinations, and what the type needs. */
const nodeSchema = (description: string, kinds: string) =>
  Unsafe<EventstreamNode>({
    type: 'object',
    description,
    properties: {
      name: text('The name of the node.', { minLength: 1 }),
      type: text(kinds, { minLength: 1 }),
    },
    required: ['name', 'type'],
  });

/** A node of an eventstream's graph. */
export interface EventstreamNode {
  name: string;
  type: string;
  /** The nodes that it reads: names, or `{ name }` objects as in the cloud's own document. */
  inputNodes?: (string | { name: string })[];
  /** The eventhouse of this stack that an `Eventhouse` destination writes to. */
  eventhouse?: string;
  /** What the type of node needs, as in the cloud's own document. */
  properties?: Record<string, unknown>;
  [property: string]: unknown;
}

/** The graph of an eventstream: inline, in a file, or as parts. */
export const eventstreamDefinitionSchema = closed(
  {
    file: Optional(text('A file that holds the document, seen from the configuration file.', { minLength: 1 })),
    format: Optional(text('The format of the parts: `eventstream`.', { minLength: 1 })),
    parts: Optional(list(definitionPartSchema, { description: 'The parts of the definition as the API takes them.', minItems: 1 })),
    sources: Optional(
      list(nodeSchema('Where events come from.', 'The type of source, such as CustomEndpoint.'), {
        description: 'Where events come from.',
      }),
    ),
    streams: Optional(
      list(nodeSchema('A stream.', 'DefaultStream or DerivedStream.'), { description: 'Streams. Default: one that takes all sources.' }),
    ),
    operators: Optional(
      list(nodeSchema('A step.', 'The type of step, such as Filter.'), { description: 'Steps between streams and destinations.' }),
    ),
    destinations: Optional(
      list(nodeSchema('Where events go.', 'The type of destination, such as Eventhouse.'), { description: 'Where events go.' }),
    ),
    compatibilityLevel: Optional(words(['1.0', '1.1'], { description: 'The version of the document.' })),
  },
  { description: 'The graph of the eventstream: inline, `{ file }`, or the parts that the API takes.' },
);

/** An eventstream (spec 002, "Create eventstream"). */
export const eventstreamSchema = closed(
  {
    ...itemProperties,
    definition: Optional(eventstreamDefinitionSchema),
    retentionTimeInDays: Optional(retentionTimeInDays),
    eventThroughputLevel: Optional(eventThroughputLevel),
  },
  { description: 'An eventstream.' },
);

/** An eventstream. */
export type EventstreamProps = Declared<typeof eventstreamSchema>;
/** The graph of an eventstream. */
export type EventstreamDefinitionProps = Declared<typeof eventstreamDefinitionSchema>;
