import type { Database } from '../../common/database.js';
import type { KnownTexts } from '../query/narrow.js';
import { textColumns } from './fields.js';
import type { BillingDatabase } from './tables.js';

/** So many texts of a column are known by heart; columns with more (names, ids) hold something else in nearly every row. */
const maxKnown = 400;
/** Longer texts are not worth knowing, and don't fit into an index of PostgreSQL. */
const maxLength = 500;
/** In place of a text: this column has too many. No stored text is empty. */
const tooMany = '';

type Texts = Map<string, Set<string> | 'too many'>;

/** Collects the texts of each column as transactions are stored. */
export class TextCollector {
  private constructor(private readonly texts: Texts) {}

  /** Goes on with what is known of an invoice. */
  static async open(database: Database, invoiceId: number): Promise<TextCollector> {
    return new TextCollector(await readTexts(database, invoiceId));
  }

  /** @returns what was not known yet of these rows, to be stored in the same transaction. */
  take(rows: Iterable<Readonly<Record<string, string>>>): readonly { readonly column: string; readonly value: string }[] {
    const fresh: { column: string; value: string }[] = [];
    for (const row of rows)
      for (const column of textColumns) {
        const value = row[column];
        if (value === undefined || value === '') continue;
        let texts = this.texts.get(column);
        if (texts === undefined) this.texts.set(column, (texts = new Set()));
        if (texts === 'too many' || texts.has(value)) continue;
        const full = texts.size >= maxKnown || value.length > maxLength;
        if (full) this.texts.set(column, 'too many');
        else texts.add(value);
        fresh.push({ column, value: full ? tooMany : value });
      }
    return fresh;
  }
}

interface Remembered {
  readonly version: unknown;
  readonly texts: KnownTexts;
}

const remembered = new WeakMap<Database, Map<number, Remembered>>();

/** Forgets what was read: to be called when transactions were stored. */
export function forgetTexts(database: Database): void {
  remembered.delete(database);
}

/** The texts that each column of an invoice's transactions holds. */
export async function knownTexts(database: Database, invoiceId: number): Promise<KnownTexts> {
  // Says whether another connection has changed the database file; PostgreSQL is asked each time.
  const version: unknown = database.sqlite?.pragma('data_version', { simple: true });
  const mine = remembered.get(database)?.get(invoiceId);
  if (mine !== undefined && version !== undefined && mine.version === version) return mine.texts;
  const texts = await readKnown(database, invoiceId);
  const all = remembered.get(database) ?? new Map<number, Remembered>();
  remembered.set(database, all.set(invoiceId, { version, texts }));
  return texts;
}

async function readKnown(database: Database, invoiceId: number): Promise<KnownTexts> {
  const db = database.connection as unknown as BillingDatabase;
  const invoice = await db.selectFrom('billing_invoice').select('texts_known').where('id', '=', invoiceId).executeTakeFirst();
  if (invoice?.texts_known !== 1) return () => undefined;
  const texts = await readTexts(database, invoiceId);
  const [isText, none] = [new Set(textColumns), new Set<string>()];
  return (column) => {
    const found = texts.get(column) ?? (isText.has(column) ? none : 'too many');
    return found === 'too many' ? undefined : found;
  };
}

async function readTexts(database: Database, invoiceId: number): Promise<Texts> {
  const db = database.connection as unknown as BillingDatabase;
  const rows = await db.selectFrom('billing_text').select(['column_name', 'value']).where('invoice_id', '=', invoiceId).execute();
  const texts: Texts = new Map();
  for (const { column_name: column, value } of rows) {
    const there = texts.get(column);
    if (value === tooMany) texts.set(column, 'too many');
    else if (there === undefined) texts.set(column, new Set([value]));
    else if (there !== 'too many') there.add(value);
  }
  return texts;
}
