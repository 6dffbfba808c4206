import type { DatabaseEngine } from '../../common/database.js';

/**
 * The condition that an object `o` is among the numbers of a common table expression. Both engines must look these up one by one:
 * PostgreSQL, which guesses too many of them, would rather walk through all objects, unless they are an array; SQLite has no arrays.
 */
export function among(engine: DatabaseEngine, table: string): string {
  return engine === 'sqlite' ? `o.number in (select number from ${table})` : `o.number = any(array(select number from ${table}))`;
}

/**
 * The number of an object `o`, for pages through all objects of a type. PostgreSQL takes the objects of a type to lie evenly among all
 * and would walk along the primary key, past a million users to the first group: only an index of the type's own has this expression.
 */
export function pageNumber(engine: DatabaseEngine): string {
  return engine === 'sqlite' ? 'o.number' : '(o.number + 0)';
}

/**
 * The limit that a statement holds for so many wanted rows: the next power of two, so that a few texts serve all, and never a parameter.
 * SQLite plans a statement again whenever a parameter behind `limit` is bound, which takes longer than most of these queries.
 */
export function roundLimit(wanted: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, wanted)));
}
