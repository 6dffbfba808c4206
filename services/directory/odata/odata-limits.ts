/** The limits of query options. */
export const odataLimits = {
  /** Characters of one option. */
  length: 16_384,
  /** Nested parentheses, `not` and lambdas. */
  depth: 32,
  /** Comparisons in one `$filter`, clauses in one `$search`, entries of one `in` list. */
  clauses: 250,
  /** `$top` on collections. */
  top: { minimum: 1, maximum: 999, default: 100 },
  /** Entries that `$expand` returns per relationship. */
  expandedItems: 20,
} as const;
