import { Optional } from '@sinclair/typebox';
import type { NodeTypes } from './node-type.js';
import { inputSerialization } from './shared-schemas.js';
import { object } from './schema-builders.js';

/** The node types of streams. An eventstream has at most one default stream. */
export const streams = (): NodeTypes => ({
  DefaultStream: {
    meaning: 'The events of the sources. Default: one stream with all sources, NAME-stream.',
    properties: object({}),
    inputs: { from: ['sources'] },
  },
  DerivedStream: {
    meaning: 'A derived stream: the output of operators, for others to read.',
    properties: object({ inputSerialization: Optional(inputSerialization()) }),
    inputs: { from: ['sources', 'streams', 'operators'], min: 1 },
  },
});
