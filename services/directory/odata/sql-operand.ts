import { sql } from 'kysely';
import type { Fragment } from '../store/sql.js';
import type { Sqlite } from '../../common/sqlite.js';
import type { DatabaseEngine } from '../../common/database.js';
import { parseInstant } from '../../../core/values/instant.js';
import { foldCase } from './filter-predicate.js';

/** The SQL expression of a property, and its form. */
export type SqlOperand =
  /** Text as stored; compared without letter case. */
  | { readonly form: 'text'; readonly expression: Fragment }
  /**
   * Folded text ({@link foldCase}), such as an indexed column of lower-case names or ids: compared
   * as it is.
   */
  | { readonly form: 'folded'; readonly expression: Fragment }
  | { readonly form: 'boolean' | 'number'; readonly expression: Fragment }
  /** ISO 8601 text. */
  | { readonly form: 'date'; readonly expression: Fragment }
  /** A JSON array: text on SQLite, `jsonb` on PostgreSQL. */
  | { readonly form: 'collection'; readonly expression: Fragment };

/** The SQL expressions of an object type's properties, for {@link compileFilter}. */
export interface SqlMapping {
  readonly engine: DatabaseEngine;
  /**
   * The operand of a property (`['displayName']`, `['api', 'acceptMappedClaims']`); undefined for
   * one that is not stored.
   */
  operand(segments: readonly string[]): SqlOperand | undefined;
  /** The number of an object's references, for `owners/$count`. */
  count?(relationship: string): Fragment | undefined;
}

/** The form of a property's value in a JSON document. */
export type JsonForm = Exclude<SqlOperand['form'], 'folded'>;

/**
 * The operand of a property inside a JSON document column.
 *
 * @param column the column, qualified where needed (`directory_object.document`); text or `jsonb`.
 */
export function jsonOperand(
  engine: DatabaseEngine,
  column: string,
  segments: readonly string[],
  form: JsonForm,
): SqlOperand {
  return { form, expression: jsonValue(engine, sql.raw(column), segments, form) };
}

/** A value within a JSON expression; without segments the expression itself. */
export function jsonValue(
  engine: DatabaseEngine,
  document: Fragment,
  segments: readonly string[],
  form: JsonForm,
): Fragment {
  if (engine === 'sqlite') {
    const path = pathLiteral(
      `$${segments.map((segment) => `.${JSON.stringify(segment)}`).join('')}`,
    );
    return sql`json_extract(${document}, ${path})`;
  }
  const path = pathLiteral(`{${segments.map((segment) => JSON.stringify(segment)).join(',')}}`);
  if (form === 'collection') return sql`((${document})::jsonb #> ${path}::text[])`;
  const text = sql`((${document})::jsonb #>> ${path}::text[])`;
  if (form === 'boolean') return sql`${text}::boolean`;
  return form === 'number' ? sql`${text}::numeric` : text;
}

/**
 * The path is part of the statement text, so that statements are reused and indexes on the
 * expression are recognized.
 */
function pathLiteral(path: string): Fragment | string {
  return /^[\w$.{},"]+$/.test(path) ? sql.raw(`'${path}'`) : path;
}

/**
 * SQL that folds text like {@link foldCase}. SQLite's own `lower` handles ASCII only, so the
 * service registers a function.
 */
export function foldSql(engine: DatabaseEngine, expression: Fragment): Fragment {
  return engine === 'sqlite' ? sql`castellan_fold(${expression})` : sql`lower(${expression})`;
}

/** The folded text of a JSON property, for an index. */
export function foldedPropertySql(
  engine: DatabaseEngine,
  column: string,
  property: string,
): Fragment {
  return collateByCodePoint(
    engine,
    foldSql(engine, jsonValue(engine, sql.raw(column), [property], 'text')),
  );
}

/** Sorts text by code points; PostgreSQL would sort by the database's collation. */
export function collateByCodePoint(engine: DatabaseEngine, expression: Fragment): Fragment {
  return engine === 'sqlite' ? expression : sql`(${expression}) collate "C"`;
}

/**
 * Registers the functions that SQLite lacks: the one of {@link foldSql}, and `castellan_instant`,
 * which reads ISO 8601 text as the milliseconds since 1970. Once per connection.
 */
export function registerSqlFunctions(sqlite: Sqlite): void {
  sqlite.define('castellan_fold', (value) => (typeof value === 'string' ? foldCase(value) : value));
  sqlite.define('castellan_instant', (value) => {
    const instant = typeof value === 'string' ? parseInstant(value) : Number.NaN;
    return Number.isNaN(instant) ? null : instant;
  });
}
