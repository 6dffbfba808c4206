/** Comparison operators of `$filter`. */
export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';

/** String functions of `$filter`, in the spelling that errors use; letter case doesn't matter in queries. */
export type StringFunction = 'startsWith' | 'endsWith' | 'contains';

/** A value as it is written in a query. Dates keep their text: it says how precise they are. */
export type Literal =
  | { readonly type: 'string' | 'guid' | 'date'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'null'; readonly value: null };

/** A property, from the object (`displayName`) or from a lambda's variable (`x`, `x/skuId`). */
export interface PropertyPath {
  readonly segments: readonly string[];
  /** The lambda's variable that the path starts from; it is not one of the segments. */
  readonly variable?: string;
  readonly position: number;
}

/** A parsed `$filter`. `and` and `or` hold all their operands side by side, so that a long chain is not a deep tree. */
export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly operand: FilterNode; readonly position: number }
  | { readonly kind: 'compare'; readonly operator: ComparisonOperator; readonly path: PropertyPath; readonly value: Literal }
  | { readonly kind: 'in'; readonly path: PropertyPath; readonly values: readonly Literal[] }
  | { readonly kind: 'function'; readonly name: StringFunction; readonly path: PropertyPath; readonly value: string }
  /** `collection/any(x:…)`; without a predicate it asks whether there is any entry. */
  | { readonly kind: 'any'; readonly path: PropertyPath; readonly variable?: string; readonly predicate?: FilterNode }
  /** `relationship/$count eq 0`. */
  | { readonly kind: 'count'; readonly operator: ComparisonOperator; readonly path: PropertyPath; readonly value: number };

/** A parsed `$search`. */
export type SearchNode =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly SearchNode[] }
  | { readonly kind: 'clause'; readonly property: string; readonly text: string; readonly position: number };

/** One key of `$orderby`. */
export interface OrderKey {
  readonly property: string;
  readonly descending: boolean;
}

/** One relationship of `$expand` with what is nested in it. */
export interface ExpandItem {
  readonly relationship: string;
  readonly select?: readonly string[];
}
