import { dateKey, dateText } from './date-key.js';
import { decimalKey } from './decimal-key.js';
import type { Field } from './fields.js';

/** A transaction as it is stored: a column for each field, '' for an absent one, and what no column can hold. */
export interface StoredTransaction {
  readonly columns: Readonly<Record<string, string>>;
  /** JSON list of `[path, value]`: tags, properties that the spec doesn't know, unusual spellings of dates; '' for none. */
  readonly extra: string;
  /**
   * Every text of the transaction in lower case, where some letter is beyond ASCII: databases don't agree on those. '' where the
   * columns themselves can be searched.
   */
  readonly searchText: string;
}

/** A mistake in a transaction. */
export class TransactionError extends Error {}

type Json = Readonly<Record<string, unknown>>;

/** Texts are stored behind this mark, so that an empty text is not an absent one. */
export const textMark = '=';
/** Between the texts that are searched: no search word can span two fields. */
export const searchSeparator = '\u001f';

/**
 * Turns a transaction into columns. Unknown values of enumerations and unknown properties pass: there may be more of them one day.
 *
 * @throws TransactionError that names the property.
 */
export function encodeTransaction(transaction: Json, fields: FieldTree): StoredTransaction {
  const columns: Record<string, string> = {};
  const extra: [readonly string[], unknown][] = [];
  const texts: string[] = [];
  const walk = (value: Json, tree: FieldTree, path: readonly string[]): void => {
    for (const name of Object.keys(value)) {
      const child = value[name];
      if (child === undefined || child === null) continue;
      const known = tree.get(name);
      if (known === undefined) extra.push([[...path, name], child]);
      else if (known instanceof Map) walk(objectAt(child, [...path, name]), known, [...path, name]);
      else encodeLeaf(child, known);
    }
  };
  const encodeLeaf = (value: unknown, { kind, column, path }: Field): void => {
    const key = encodeValue(value, kind, path);
    columns[column] = key;
    if (kind === 'text') texts.push(key.slice(1));
    if (kind === 'date' && dateText(key) !== value) extra.push([path, value]);
  };
  walk(transaction, fields, []);
  const text = texts.join(searchSeparator);
  const searchText = /^[\u0000-\u007f]*$/.test(text) ? '' : text.toLowerCase();
  return { columns, extra: extra.length === 0 ? '' : JSON.stringify(extra), searchText };
}

function encodeValue(value: unknown, kind: Field['kind'], path: readonly string[]): string {
  const fail = (what: string): TransactionError => new TransactionError(`${path.join('.')} must be ${what}, not ${JSON.stringify(value)}`);
  switch (kind) {
    case 'text':
      if (typeof value !== 'string') throw fail('a string');
      return textMark + value;
    case 'boolean':
      if (typeof value !== 'boolean') throw fail('true or false');
      return value ? '1' : '0';
    case 'date': {
      const key = typeof value === 'string' ? dateKey(value) : undefined;
      if (key === undefined) throw fail('a date and time (ISO 8601)');
      return key;
    }
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > 2 ** 31) throw fail('a whole number (int32)');
      return decimalKey(value);
    case 'number':
      // A text keeps every digit where a number of JSON or YAML would lose some.
      if (typeof value !== 'number' && !(typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value))) throw fail('a number');
      try {
        return decimalKey(value);
      } catch {
        throw fail('a finite number'); // NaN, infinite or out of range: said in the words of this file
      }
  }
}

function objectAt(value: unknown, path: readonly string[]): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TransactionError(`${path.join('.')} must be an object, not ${JSON.stringify(value)}`);
  return value as Json;
}

/** The fields as a tree by their paths. */
export type FieldTree = Map<string, Field | FieldTree>;

/** Makes the tree of a dialect's fields. */
export function fieldTree(fields: readonly Field[]): FieldTree {
  const root: FieldTree = new Map();
  for (const field of fields) {
    let tree = root;
    for (const word of field.path.slice(0, -1)) {
      let next = tree.get(word);
      if (!(next instanceof Map)) tree.set(word, (next = new Map()));
      tree = next;
    }
    tree.set(field.path[field.path.length - 1] ?? '', field);
  }
  return root;
}
