import type { TSchema } from '@sinclair/typebox';

/** The lists of an eventstream's document that hold nodes, in the direction in which events flow. */
export const nodeLists = ['sources', 'streams', 'operators', 'destinations'] as const;
/** A list of nodes. */
export type NodeList = (typeof nodeLists)[number];

/** What may be wired to a node: the lists that its `inputNodes` may name, and how many of them. */
export interface Inputs {
  readonly from: readonly NodeList[];
  /** @default 0 */
  readonly least?: number;
  /** @default any number */
  readonly most?: number;
}

/** A type of node: what it is for, what its `properties` hold, and what may be wired to it. */
export interface NodeType {
  /** What it does with events. */
  readonly meaning: string;
  /** What its `properties` hold: an object, or a choice of them. */
  readonly properties: TSchema;
  readonly inputs: Inputs;
  /** Whether `properties` may be left out of the service's document. @default false */
  readonly withoutProperties?: boolean;
  /**
   * What castellan fills in where the node names an eventhouse of the stack, or where nothing is said: those need not be written in
   * castellan.yaml.
   */
  readonly defaults?: readonly string[];
}

/** The types of nodes in one list, by the word in `type`. */
export type NodeTypes = Readonly<Record<string, NodeType>>;
