/** Comparison operators. */
export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';

/** String functions, in the spelling of errors; letter case does not matter in queries. */
export type StringFunction = 'startsWith' | 'endsWith' | 'contains';

/** A property of the object (`displayName`) or of a lambda's variable (`x`, `x/skuId`). */
export interface PropertyPath {
  /** The names between slashes. */
  readonly segments: readonly string[];
  /** The lambda variable at the start of the path, which is not one of the segments. */
  readonly variable?: string;
  /** Offset in the filter, from 0. */
  readonly position: number;
}

/**
 * A parsed filter; `Value` is the type of the service's literals. `and` and `or` have all their
 * operands in one list, so that a long chain is not a deep tree.
 */
export type FilterTree<Value> =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly FilterTree<Value>[] }
  /** Its `position` is the offset of `not` in the filter, from 0. */
  | { readonly kind: 'not'; readonly operand: FilterTree<Value>; readonly position: number }
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly path: PropertyPath;
      readonly value: Value;
    }
  | { readonly kind: 'in'; readonly path: PropertyPath; readonly values: readonly Value[] }
  | {
      readonly kind: 'function';
      readonly name: StringFunction;
      readonly path: PropertyPath;
      readonly value: string;
    }
  /** `collection/any(x:…)`; without a predicate it tests whether there is any entry. */
  | {
      readonly kind: 'any';
      /** The collection. */
      readonly path: PropertyPath;
      /** The lambda's variable: `x`. */
      readonly variable?: string;
      readonly predicate?: FilterTree<Value>;
    }
  /** `relationship/$count eq 0`. */
  | {
      readonly kind: 'count';
      readonly operator: ComparisonOperator;
      /** The relationship, without `$count`. */
      readonly path: PropertyPath;
      readonly value: number;
    };
