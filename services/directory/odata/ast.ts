import type { FilterTree } from '../../common/filter/tree.js';

export type { ComparisonOperator, PropertyPath, StringFunction } from '../../common/filter/tree.js';

/** A value as it is written in a query. Dates keep their text: it says how precise they are. */
export type Literal =
  | { readonly type: 'string' | 'guid' | 'date'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'null'; readonly value: null };

/** A parsed `$filter`. */
export type FilterNode = FilterTree<Literal>;

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
