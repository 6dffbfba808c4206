import type { TSchema } from '@sinclair/typebox';

/**
 * The lists of an eventstream's document that hold nodes, in the direction in which events flow.
 */
export const nodeLists = ['sources', 'streams', 'operators', 'destinations'] as const;
/** The name of a list of nodes. */
export type NodeListName = (typeof nodeLists)[number];

/** The inputs of a node: how many nodes its `inputNodes` may name, and of which lists. */
export interface InputLimits {
  /** The lists of the nodes. */
  readonly from: readonly NodeListName[];
  /** The minimum of nodes. @default 0 */
  readonly min?: number;
  /** The maximum of nodes. @default any number */
  readonly max?: number;
}

/** A node type: its purpose, its `properties`, and its inputs. */
export interface NodeType {
  /** What it does with events. */
  readonly meaning: string;
  /** The schema of its `properties`: an object, or a choice of them. */
  readonly properties: TSchema;
  readonly inputs: InputLimits;
  /** Whether the service's document may omit `properties`. @default false */
  readonly canOmitProperties?: boolean;
  /**
   * The properties that castellan fills in if the node names an eventhouse of the stack, or by
   * default: castellan.yaml need not contain them.
   */
  readonly propertiesFilledIn?: readonly string[];
}

/** The types of nodes in one list, by the value of `type`. */
export type NodeTypes = Readonly<Record<string, NodeType>>;
