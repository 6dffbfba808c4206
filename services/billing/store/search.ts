import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { DatabaseEngine } from '../../common/database.js';
import type { KnownTexts } from '../query/narrow.js';
import { searchSeparator } from './encode.js';
import { textColumns } from './fields.js';

/**
 * The condition of a search. In columns whose texts are known, those that hold the word are asked for; the others are looked through,
 * or, where there are letters beyond ASCII, the prepared text of the row.
 *
 * @param search in lower case.
 * @returns 'none' where it can't be found at all.
 */
export function searchCondition(engine: DatabaseEngine, search: string, known: KnownTexts): RawBuilder<unknown> | 'none' {
  const conditions: RawBuilder<unknown>[] = [];
  const unknown: string[] = [];
  for (const column of textColumns) {
    const texts = known(column);
    if (texts === undefined) {
      unknown.push(column);
      continue;
    }
    const found = [...texts].filter((stored) => stored.slice(1).toLowerCase().includes(search));
    if (found.length > 0) conditions.push(sql`${sql.ref(column)} in (${sql.join(found)})`);
  }
  if (unknown.length > 0) conditions.push(lookThrough(engine, unknown, search));
  return conditions.length === 0 ? 'none' : sql`(${sql.join(conditions, sql` or `)})`;
}

function lookThrough(engine: DatabaseEngine, columns: readonly string[], search: string): RawBuilder<unknown> {
  const find = sql.raw(engine === 'sqlite' ? 'instr' : 'strpos');
  const texts = sql.join(
    columns.map((column) => sql`substr(${sql.ref(column)}, 2)`),
    sql` || ${sql.lit(searchSeparator)} || `,
  );
  return sql`case when search_text = '' then ${find}(lower(${texts}), ${search}) else ${find}(search_text, ${search}) end > 0`;
}
