/** Comparison operators. */
export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';

/** String functions, in the spelling that errors use; letter case doesn't matter in queries. */
export type StringFunction = 'startsWith' | 'endsWith' | 'contains';

/** A property, from the object (`displayName`) or from a lambda's variable (`x`, `x/skuId`). */
export interface PropertyPath {
  readonly segments: readonly string[];
  /** The lambda's variable that the path starts from; it is not one of the segments. */
  readonly variable?: string;
  readonly position: number;
}

/**
 * A parsed filter; `Value` is what a service reads literals as. `and` and `or` hold all their operands side by side, so that a long
 * chain is not a deep tree.
 */
export type FilterTree<Value> =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly FilterTree<Value>[] }
  | { readonly kind: 'not'; readonly operand: FilterTree<Value>; readonly position: number }
  | { readonly kind: 'compare'; readonly operator: ComparisonOperator; readonly path: PropertyPath; readonly value: Value }
  | { readonly kind: 'in'; readonly path: PropertyPath; readonly values: readonly Value[] }
  | { readonly kind: 'function'; readonly name: StringFunction; readonly path: PropertyPath; readonly value: string }
  /** `collection/any(x:…)`; without a predicate it asks whether there is any entry. */
  | { readonly kind: 'any'; readonly path: PropertyPath; readonly variable?: string; readonly predicate?: FilterTree<Value> }
  /** `relationship/$count eq 0`. */
  | { readonly kind: 'count'; readonly operator: ComparisonOperator; readonly path: PropertyPath; readonly value: number };
