import { lazily } from '../../../core/values/lazily.js';
import { destinations } from './destinations.js';
import type { NodeList, NodeTypes } from './node-type.js';
import { operators } from './operators.js';
import { sources } from './sources.js';
import { streams } from './streams.js';

/** Every type of node that an eventstream may hold, by list and type: the one description of them, made when it is first asked for. */
export const nodeTypes: Readonly<Record<NodeList, NodeTypes>> = lazily({ sources, streams, operators, destinations });

/** What a node of each list is called. */
export const nodeWords: Readonly<Record<NodeList, string>> = {
  sources: 'source',
  streams: 'stream',
  operators: 'operator',
  destinations: 'destination',
};

export type { Inputs, NodeList, NodeType, NodeTypes } from './node-type.js';
export { nodeLists } from './node-type.js';
