declare const other: unique symbol;

/** A type of node that castellan doesn't describe: made by {@link otherNodeType}. */
export type OtherNodeType = string & { readonly [other]: true };

/** A node of an eventstream whose type castellan doesn't describe. */
export interface OtherNode {
  /** The name by which other nodes refer to it. */
  readonly name: string;
  /** The type, as the service spells it. */
  readonly type: OtherNodeType;
  /** The nodes that it reads, by name. */
  readonly inputNodes?: readonly (string | { readonly name: string })[];
  /** The properties of the type, as in the service's document. */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Further properties of its type of node. */
  readonly [property: string]: unknown;
}

/**
 * The type of a node that castellan doesn't describe, because the service has gained it since: such a node passes with a finding of
 * severity info.
 *
 * @example
 * const feed: OtherNode = { name: 'feed', type: otherNodeType('LakehouseChangeFeed'), properties: { itemReference: '…' } };
 */
export function otherNodeType(type: string): OtherNodeType {
  return type as OtherNodeType;
}
