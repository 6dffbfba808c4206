import { Optional } from '@sinclair/typebox';
import type { NodeTypes } from './node-type.js';
import { inputSerialization } from './parts.js';
import { object } from './shapes.js';

/** The streams of events: the stream types. An eventstream has at most one default stream. */
export const streams = (): NodeTypes => ({
  DefaultStream: {
    meaning:
      'Carries what the sources bring. Where none is written, there is one with all sources, NAME-stream.',
    properties: object({}),
    inputs: { from: ['sources'] },
  },
  DerivedStream: {
    meaning: 'Carries what operators made, for others to read.',
    properties: object({ inputSerialization: Optional(inputSerialization()) }),
    inputs: { from: ['sources', 'streams', 'operators'], least: 1 },
  },
});
