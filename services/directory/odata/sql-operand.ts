import { sql } from 'kysely';
import type { Fragment } from '../store/sql.js';
import type { Sqlite } from '../../common/sqlite.js';
import type { DatabaseEngine } from '../../common/database.js';
import { fold } from './evaluate-filter.js';

/** Where the value of a property is stored, and in which form. */
export type SqlOperand =
  /** Text as the object has it; compared without letter case. */
  | { readonly form: 'text'; readonly expression: Fragment }
  /** Text that is stored folded (see {@link fold}), such as an indexed column of lower-case names or ids: compared as it is. */
  | { readonly form: 'folded'; readonly expression: Fragment }
  | { readonly form: 'boolean' | 'number'; readonly expression: Fragment }
  /** ISO 8601 text. */
  | { readonly form: 'date'; readonly expression: Fragment }
  /** A JSON array: text on SQLite, `jsonb` on PostgreSQL. */
  | { readonly form: 'collection'; readonly expression: Fragment };

/** The map from an object type's properties to the database, which {@link compileFilter} asks. */
export interface SqlMapping {
  readonly engine: DatabaseEngine;
  /** The operand of a property (`['displayName']`, `['api', 'acceptMappedClaims']`), undefined for one that isn't stored. */
  operand(segments: readonly string[]): SqlOperand | undefined;
  /** A number: how many objects a relationship has, for `owners/$count`. */
  count?(relationship: string): Fragment | undefined;
}

/** The form of a property's value in a JSON document. */
export type JsonForm = Exclude<SqlOperand['form'], 'folded'>;

/**
 * The operand of a property inside a JSON document column.
 *
 * @param column the column, qualified where needed (`directory_object.document`); text or `jsonb`.
 */
export function jsonOperand(engine: DatabaseEngine, column: string, segments: readonly string[], form: JsonForm): SqlOperand {
  return { form, expression: jsonValue(engine, sql.raw(column), segments, form) };
}

/** A value inside a JSON expression; without segments the expression itself. */
export function jsonValue(engine: DatabaseEngine, document: Fragment, segments: readonly string[], form: JsonForm): Fragment {
  if (engine === 'sqlite') {
    const path = literal(`$${segments.map((segment) => `.${JSON.stringify(segment)}`).join('')}`);
    return sql`json_extract(${document}, ${path})`;
  }
  const path = literal(`{${segments.map((segment) => JSON.stringify(segment)).join(',')}}`);
  if (form === 'collection') return sql`((${document})::jsonb #> ${path}::text[])`;
  const text = sql`((${document})::jsonb #>> ${path}::text[])`;
  if (form === 'boolean') return sql`${text}::boolean`;
  return form === 'number' ? sql`${text}::numeric` : text;
}

/** A path is part of the statement, so that one text serves all requests that ask for the property and an index on it is recognised. */
function literal(path: string): Fragment | string {
  return /^[\w$.{},"]+$/.test(path) ? sql.raw(`'${path}'`) : path;
}

/** SQL that folds text as {@link fold} does. SQLite's own `lower` knows ASCII only, so the service registers ours. */
export function foldSql(engine: DatabaseEngine, expression: Fragment): Fragment {
  return engine === 'sqlite' ? sql`castellan_fold(${expression})` : sql`lower(${expression})`;
}

/** A text property of a JSON document as filters compare it, for an index. */
export function foldedProperty(engine: DatabaseEngine, column: string, property: string): Fragment {
  return byCode(engine, foldSql(engine, jsonValue(engine, sql.raw(column), [property], 'text')));
}

/** Text in code point order; PostgreSQL would otherwise order by the database's language. */
export function byCode(engine: DatabaseEngine, expression: Fragment): Fragment {
  return engine === 'sqlite' ? expression : sql`(${expression}) collate "C"`;
}

/** Registers the function that {@link foldSql} calls; once per connection. */
export function registerFold(sqlite: Sqlite): void {
  sqlite.define('castellan_fold', (value) => (typeof value === 'string' ? fold(value) : value));
}
