/**
 * Marks the types that are not among those that castellan describes: a misspelt type of a described
 * node is no `OtherNodeType`.
 */
declare const other: unique symbol;

/** The type of a node that castellan does not describe; created by {@link otherNodeType}. */
export type OtherNodeType = string & { readonly [other]: true };

/** A node of an eventstream of another type than those that castellan describes. */
export interface OtherNode {
  /** The name by which other nodes refer to it. */
  readonly name: string;
  /** The type, as the service spells it. */
  readonly type: OtherNodeType;
  /** The nodes that it reads, by name. */
  readonly inputNodes?: readonly (string | { readonly name: string })[];
  /** The properties of the node, as in the service's document. */
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  /** Other members of the node. */
  readonly [property: string]: unknown;
}

/**
 * The type of a node that castellan does not describe because it is newer: such a node passes with
 * a finding of severity info.
 *
 * @example
 * const feed: OtherNode = { name: 'feed', type: otherNodeType('LakehouseChangeFeed'), properties: { itemReference: '…' } };
 */
export function otherNodeType(type: string): OtherNodeType {
  return type as OtherNodeType;
}
