import { dateKey, decimalKey, decimalText } from './sort-keys.js';
import type { Field } from './fields.js';

/** A stored transaction. */
export interface StoredTransaction {
  /** A column for each field, '' for an absent one: what is filtered and ordered by. */
  readonly columns: Readonly<Record<string, string>>;
  /** Every text field in lower case, which is what a search looks through. */
  readonly searchText: string;
  /** The JSON that is answered. Amounts keep every digit. */
  readonly document: string;
}

/** A mistake in a transaction. */
export class TransactionError extends Error {}

type Json = Readonly<Record<string, unknown>>;

/** Texts are stored behind this mark, so that an empty text is not an absent one. */
export const textMark = '=';
/** Between the texts that are searched: no search word can span two fields. */
const searchSeparator = '\u001f';

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
    tree.set(field.path.at(-1) ?? '', field);
  }
  return root;
}

/**
 * Turns a transaction into what is stored. Unknown values of enumerations and unknown properties pass: there may be more of them one day.
 *
 * @throws TransactionError that names the property.
 */
export function encodeTransaction(transaction: Json, fields: FieldTree): StoredTransaction {
  const columns: Record<string, string> = {};
  const texts: string[] = [];
  const leaf = (value: unknown, field: Field): string => {
    const key = encodeValue(value, field);
    columns[field.column] = key;
    if (field.kind === 'text') texts.push(key.slice(1));
    return field.kind === 'number' || field.kind === 'integer' ? decimalText(key) : JSON.stringify(value);
  };
  const print = (value: Json, tree: FieldTree, path: readonly string[]): string => {
    const members: string[] = [];
    for (const [name, child] of Object.entries(value)) {
      if (child === undefined || child === null) continue;
      const known = tree.get(name);
      const inner = (): string => print(objectAt(child, [...path, name]), known as FieldTree, [...path, name]);
      const text = known === undefined ? JSON.stringify(child) : known instanceof Map ? inner() : leaf(child, known);
      members.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${members.join(',')}}`;
  };
  const document = print(transaction, fields, []);
  return { columns, searchText: texts.join(searchSeparator).toLowerCase(), document };
}

function encodeValue(value: unknown, { kind, path }: Field): string {
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
      if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > 2 ** 31) throw fail('an integer (int32)');
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
