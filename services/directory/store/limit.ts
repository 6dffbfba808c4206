/**
 * The limit that a statement holds for so many wanted rows: the next power of two, so that a few texts serve all, and never a parameter.
 * SQLite plans a statement anew whenever a parameter behind `limit` is bound, which takes longer than most of these queries.
 */
export function roundLimit(wanted: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, wanted)));
}
