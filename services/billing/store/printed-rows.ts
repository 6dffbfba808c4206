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

/** What is kept at most: the characters of some eight thousand transactions, and the bytes of some eighty lists. */
const most = { rows: 16_000_000, lists: 8_000_000 };

/**
 * Reads and prints transactions. A stored transaction never changes: those that were asked for lately are kept as text, and the lists of
 * them as they are sent, so that a page that everybody looks at costs next to nothing, the collector's work included.
 */
export function createPrintedRows(database: Database, fields: FieldTree): PrintedRows {
  const print = printerOf(fields);
  const rows = new LatelyUsed<number, string>(most.rows);
  const lists = new LatelyUsed<string, Buffer>(most.lists);
  return {
    async print(seqs) {
      const key = seqs.join();
      const list = lists.get(key);
      if (list !== undefined) return list;
      const found = new Map<number, string>();
      for (const seq of seqs) {
        const text = rows.get(seq);
        if (text !== undefined) found.set(seq, text);
      }
      const missing = seqs.filter((seq) => !found.has(seq));
      for (const [seq, row] of await readStored(database, missing)) {
        const text = print(row);
        found.set(seq, text);
        rows.keep(seq, text);
      }
      const printed = Buffer.from(`[${seqs.map((seq) => found.get(seq) ?? '{}').join()}]`);
      // What is asked for the first time may never be asked for again.
      if (missing.length === 0) lists.keep(key, printed);
      return printed;
    },
  };
}

/** Texts by their keys up to a length of all of them; the ones that came first go first. */
class LatelyUsed<Key, Text extends { readonly length: number }> {
  readonly #kept = new Map<Key, Text>();
  #length = 0;

  constructor(private readonly most: number) {}

  get(key: Key): Text | undefined {
    return this.#kept.get(key);
  }

  keep(key: Key, text: Text): void {
    if (this.#kept.has(key)) return; // two requests printed it at the same time
    this.#length += text.length;
    this.#kept.set(key, text);
    for (const [oldest, its] of this.#kept) {
      if (this.#length <= this.most) break;
      this.#kept.delete(oldest);
      this.#length -= its.length;
    }
  }
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
