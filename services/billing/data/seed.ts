import { readFileSync } from 'node:fs';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { isObject } from '../../../core/values/is-object.js';
import { type Dialect, inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import { transaction as transactionKind } from '../../../kinds/transaction/transaction.js';
import type { SeedEntry } from '../../common/seed.js';
import type { Field } from '../store/fields.js';
import { insertTransactions } from '../store/insert.js';
import {
  encodeTransaction,
  fieldTree,
  type FieldTree,
  type StoredTransaction,
  TransactionError,
} from '../store/stored-transaction.js';
import type { TransactionStore } from '../store/transaction-store.js';
import { transactionsFromCsv } from './csv.js';
import { generateTransactions } from './transaction-generator.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { derivedId } from '../../../core/values/derived-id.js';

type Json = Record<string, unknown>;

/**
 * Applies the `billing` list of a seed: `{billingAccount, invoice}` with `transactions`,
 * `generate: {count, seed}` or `import` (the path of a CSV or JSON file). Existing transactions are
 * kept.
 *
 * @throws CAS4002 naming the entry and the property.
 */
export async function seedBilling(
  store: TransactionStore,
  fields: readonly Field[],
  dialect: Dialect,
  entries: readonly SeedEntry[],
): Promise<void> {
  const { database, db } = store;
  const tree = fieldTree(fields);
  /** How many lists of transactions each invoice has had. */
  const listCounts = new Map<number, number>();
  for (const [index, entry] of entries.entries()) {
    const entryPath = `billing[${index}]`;
    const account = validName(
      entry,
      'billingAccount',
      transactionKind.limits.billingAccountName,
      entryPath,
    );
    const invoice = validName(entry, 'invoice', transactionKind.limits.invoiceName, entryPath);
    const { id, generated: previousKey } = await store.ensureInvoice(account, invoice);
    const encodeList = (key: string, list: readonly Json[]): readonly StoredTransaction[] => {
      if (list.length === 0) return [];
      const listNumber = listCounts.get(id) ?? 0;
      listCounts.set(id, listNumber + 1);
      return list.map((each, number) =>
        encodeSeedTransaction(
          withDefaults(each, { account, invoice, dialect, listNumber, number }),
          tree,
          `${entryPath}.${key}[${number}]`,
        ),
      );
    };
    const transactions = encodeList(
      'transactions',
      transactionList(entry['transactions'], `${entryPath}.transactions`),
    );
    const importedTransactions = encodeList(
      'import',
      readImport(entry['import'], fields, entryPath),
    );
    if (transactions.length + importedTransactions.length > 0)
      await insertTransactions(database, dialect, id, [...transactions, ...importedTransactions]);
    const generate = readGenerateOptions(entry['generate'], entryPath);
    const generateKey = generate === undefined ? '' : `${generate.count}:${generate.seed}`;
    if (generate === undefined || previousKey === generateKey) continue;
    await insertTransactions(
      database,
      dialect,
      id,
      generateStoredTransactions({ ...generate, billingAccount: account, invoice, dialect }, tree),
    );
    await db
      .updateTable('billing_invoice')
      .set({ generated: generateKey })
      .where('id', '=', id)
      .execute();
  }
}

function* generateStoredTransactions(
  options: Parameters<typeof generateTransactions>[0],
  tree: FieldTree,
): Generator<StoredTransaction> {
  for (const transaction of generateTransactions(options))
    yield encodeTransaction(transaction, tree);
}

function encodeSeedTransaction(
  values: Json,
  tree: FieldTree,
  entryPath: string,
): StoredTransaction {
  try {
    const mistake = mistakeIn(transactionKind.properties.tags, values['tags'] ?? {});
    if (mistake !== undefined) throw new TransactionError(`tags: ${mistake.message}`);
    return encodeTransaction(values, tree);
  } catch (error) {
    if (error instanceof TransactionError) throw invalidSeed(`${entryPath}: ${error.message}`);
    throw error;
  }
}

/** Fills in a missing id, name, type and properties: the same ones at each start. */
function withDefaults(
  transaction: Json,
  origin: {
    account: string;
    invoice: string;
    dialect: Dialect;
    /** The number of its list among those of the invoice. */
    listNumber: number;
    /** Its number in the list. */
    number: number;
  },
): Json {
  const namespace = inDialect(dialectWords.billingNamespace, origin.dialect);
  const { account, invoice, listNumber, number } = origin;
  // In the first list, and so in all seeds of earlier versions, the number alone is the place.
  const place = listNumber === 0 ? [number] : [number, listNumber];
  const name =
    transaction['name'] ??
    nameInId(transaction['id']) ??
    derivedId(JSON.stringify([account, invoice, ...place]));
  const path = `/providers/${namespace}/billingAccounts/${account}/invoices/${invoice}/transactions`;
  const { id, type, properties } = transaction;
  return {
    ...transaction,
    id: id ?? `${path}/${String(name)}`,
    name,
    type: type ?? `${namespace}/billingAccounts/billingProfiles/transactions`,
    properties: properties ?? {},
  };
}

function nameInId(id: unknown): string | undefined {
  return typeof id === 'string' ? id.split('/').at(-1) : undefined;
}

function readGenerateOptions(
  value: unknown,
  entryPath: string,
): { count: number; seed: string } | undefined {
  if (value === undefined || value === null) return undefined;
  const { count, seed = '' } = value as { count?: unknown; seed?: unknown };
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0)
    throw invalidSeed(`${entryPath}.generate.count must be an integer of at least 0`);
  return { count, seed: String(seed) };
}

function readImport(path: unknown, fields: readonly Field[], entryPath: string): readonly Json[] {
  if (path === undefined || path === null) return [];
  if (typeof path !== 'string')
    throw invalidSeed(`${entryPath}.import must be the path of a .csv or .json file`);
  try {
    const text = readFileSync(path, 'utf8');
    if (/\.csv$/i.test(path)) return transactionsFromCsv(text, fields);
    const document = JSON.parse(text) as unknown;
    const list = isObject(document) ? document['value'] : document;
    if (!isTransactionList(list)) throw new TransactionError('it must be a list of transactions');
    return list;
  } catch (cause) {
    throw new CastellanError(
      'CAS4002',
      `${entryPath}.import: ${path}: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

function transactionList(value: unknown, entryPath: string): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (!isTransactionList(value)) throw invalidSeed(`${entryPath} must be a list of transactions`);
  return value;
}

function isTransactionList(value: unknown): value is readonly Json[] {
  return Array.isArray(value) && value.every(isObject);
}

function validName(entry: SeedEntry, name: string, pattern: string, entryPath: string): string {
  const value = entry[name];
  // YAML parses an account of digits as a number.
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !new RegExp(pattern).test(text))
    throw invalidSeed(
      `${entryPath}.${name} ${JSON.stringify(value ?? null)} must match ${pattern}`,
    );
  return text;
}

function invalidSeed(message: string): CastellanError {
  return new CastellanError('CAS4002', message);
}
