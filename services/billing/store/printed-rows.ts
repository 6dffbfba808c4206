import { sql } from 'kysely';
import type { Database } from '../../common/database.js';
import { printerOf, rowColumns, rowOf } from './decode.js';
import type { Row } from './decode.js';
import type { FieldTree } from './encode.js';
import { readRows } from './statements.js';

/** Transactions as JSON, by their numbers. */
export interface PrintedRows {
  /** The list of them in UTF-8: `[{…},{…}]`. */
  print(seqs: readonly number[]): Promise<Buffer>;
}

/** So many bytes of lists are kept: some two hundred pages. */
const most = 24_000_000;
/** So many lists are remembered to have been asked for. */
const mostAsked = 1000;

/**
 * Reads and prints transactions. A stored transaction never changes: lists that are asked for again are kept as they are sent, outside the
 * heap, so that a page that everybody looks at costs next to nothing. Nothing is kept of a list that is asked for once, as by somebody who
 * reads all pages: what outlives its request is what makes the collector's pauses long.
 */
export function createPrintedRows(database: Database, fields: FieldTree): PrintedRows {
  const print = printerOf(fields);
  const kept = new Map<string, Buffer>();
  const asked = new Set<string>();
  let length = 0;
  const keep = (key: string, list: Buffer): void => {
    if (kept.has(key)) return; // two requests printed it at the same time
    length += list.length;
    kept.set(key, list);
    for (const [oldest, its] of kept) {
      if (length <= most) break;
      kept.delete(oldest);
      length -= its.length;
    }
  };
  return {
    async print(seqs) {
      const key = seqs.join();
      const known = kept.get(key);
      if (known !== undefined) return known;
      const rows = new Map(await readStored(database, seqs));
      const out: string[] = [];
      for (const seq of seqs) {
        out.push(out.length === 0 ? '[' : ',');
        print(rows.get(seq) ?? [], out);
      }
      const list = out.length === 0 ? Buffer.from('[]') : Buffer.from(`${out.join('')}]`);
      if (asked.delete(key)) keep(key, list);
      else asked.add(key);
      const [oldest] = asked.size > mostAsked ? asked : [];
      if (oldest !== undefined) asked.delete(oldest);
      return list;
    },
  };
}

const columns = sql.raw(rowColumns.join(', '));

async function readStored(database: Database, seqs: readonly number[]): Promise<readonly (readonly [number, Row])[]> {
  if (seqs.length === 0) return [];
  if (database.engine === 'sqlite') return readPacked(database, seqs);
  const query = sql`select seq, ${columns} from billing_transaction where seq in (${sql.join(seqs)})`;
  const rows = await readRows(database, query, ['seq', ...rowColumns]);
  return rows.map(([seq, ...values]) => [Number(seq), rowOf(values)]);
}

/**
 * SQLite packs a row into one JSON list: seventy values handed over one by one cost more than reading them. Between its quotes each is
 * already what the answer needs: the list comes apart at what stands between two. A quote inside a text has a backslash before it: where a
 * piece ends with one, the list may have come apart in the wrong place, and the row is read properly.
 */
async function readPacked(database: Database, seqs: readonly number[]): Promise<readonly (readonly [number, Row])[]> {
  const query = sql`select seq, json_array(${columns}) from billing_transaction where seq in (select value from json_each(${JSON.stringify(seqs)}))`;
  const rows = await readRows(database, query, ['seq', 'packed']);
  return rows.map(([seq, packed]) => {
    const text = String(packed);
    const pieces = text.slice(2, -2).split('","');
    const apart = text.includes('\\') && pieces.some((piece) => piece.endsWith('\\'));
    return [Number(seq), apart ? rowOf(JSON.parse(text) as unknown[]) : pieces];
  });
}
