import { sql } from 'kysely';
import type { Database } from '../../common/database.js';
import { printerOf, rowColumns } from './decode.js';
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

/** SQLite packs a row into one text: seventy values handed over one by one cost more than reading them. */
async function readStored(database: Database, seqs: readonly number[]): Promise<readonly (readonly [number, Row])[]> {
  if (seqs.length === 0) return [];
  const packed = database.engine === 'sqlite';
  const what = packed ? sql`json_array(${columns}) as packed` : columns;
  const rows = await readRows(database, sql`select seq, ${what} from billing_transaction where seq in (${sql.join(seqs)})`, [
    'seq',
    ...(packed ? ['packed'] : rowColumns),
  ]);
  return rows.map(([seq, ...values]) => [Number(seq), packed ? (JSON.parse(String(values[0])) as Row) : (values as Row)]);
}
