import { destinations } from './destinations.js';
import type { NodeListName, NodeTypes } from './node-type.js';
import { operators } from './operators.js';
import { sources } from './sources.js';
import { streams } from './streams.js';

const createdTypes: { [list in NodeListName]?: NodeTypes } = {};

/**
 * All node types of an eventstream, by list and type: their only description, created on first use.
 */
export const nodeTypes: Readonly<Record<NodeListName, NodeTypes>> = {
  get sources() {
    return (createdTypes.sources ??= sources());
  },
  get streams() {
    return (createdTypes.streams ??= streams());
  },
  get operators() {
    return (createdTypes.operators ??= operators());
  },
  get destinations() {
    return (createdTypes.destinations ??= destinations());
  },
};

/** The singular of each list. */
export const nodeNouns: Readonly<Record<NodeListName, string>> = {
  sources: 'source',
  streams: 'stream',
  operators: 'operator',
  destinations: 'destination',
};

export type { InputLimits, NodeListName, NodeType, NodeTypes } from './node-type.js';
export { nodeLists } from './node-type.js';
