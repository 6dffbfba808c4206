import { sql } from 'kysely';
import type { Database } from '../../common/database.js';
import { printerOf, rowColumns, rowOf } from './decode.js';
import type { Row } from './decode.js';
import type { FieldTree } from './encode.js';
import { readRows } from './statements.js';

/** Transactions as JSON text, by their numbers. */
export interface PrintedRows {
  print(seqs: readonly number[]): Promise<readonly string[]>;
}

/** The characters that are kept at most: some eight thousand transactions. */
const keptLength = 16_000_000;

/**
 * Reads and prints transactions. A stored transaction never changes: those that were asked for lately are kept as text, so that a page
 * that everybody looks at costs next to nothing.
 */
export function createPrintedRows(database: Database, fields: FieldTree): PrintedRows {
  const print = printerOf(fields);
  const kept = new Map<number, string>();
  let length = 0;
  const keep = (seq: number, text: string): void => {
    length += text.length;
    kept.set(seq, text);
    for (const [oldest, its] of kept) {
      if (length <= keptLength) break;
      kept.delete(oldest);
      length -= its.length;
    }
  };
  return {
    async print(seqs) {
      const found = new Map<number, string>();
      for (const seq of seqs) {
        const text = kept.get(seq);
        if (text !== undefined) found.set(seq, text);
      }
      const missing = seqs.filter((seq) => !found.has(seq));
      for (const [seq, row] of await readStored(database, missing)) {
        const text = print(row);
        found.set(seq, text);
        keep(seq, text);
      }
      return seqs.map((seq) => found.get(seq) ?? '{}');
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
    const pieces = String(packed).slice(2, -2).split('","');
    return [Number(seq), pieces.some((piece) => piece.endsWith('\\')) ? rowOf(JSON.parse(String(packed)) as unknown[]) : pieces];
  });
}
