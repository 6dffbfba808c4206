import { int32 } from '../../../kinds/transaction/transaction.js';
import { dateKey, decimalKey, decimalText } from './sort-keys.js';
import type { Field } from './fields.js';

/** A stored transaction. */
export interface StoredTransaction {
  /** A column for each field, '' for an absent one, used to filter and sort. */
  readonly columns: Readonly<Record<string, string>>;
  /** All text fields in lower case, for searches. */
  readonly searchText: string;
  /** The JSON of answers. Amounts keep every digit. */
  readonly document: string;
}

/** A mistake in a transaction. */
export class TransactionError extends Error {}

type Json = Readonly<Record<string, unknown>>;

/** Starts every stored text, so that an empty text differs from an absent one. */
export const textPrefix = '=';
/** Separates the texts for searches, so that no search word can span two fields. */
const searchSeparator = '\u001f';

/** The fields as a tree by path. */
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
 * Converts a transaction to its stored form. Unknown enumeration values and properties are
 * accepted, since more may be added.
 *
 * @throws TransactionError naming the property.
 */
export function encodeTransaction(transaction: Json, fields: FieldTree): StoredTransaction {
  const columns: Record<string, string> = {};
  const texts: string[] = [];
  const encodeField = (value: unknown, field: Field): string => {
    const key = encodeValue(value, field);
    columns[field.column] = key;
    if (field.kind === 'text') texts.push(key.slice(1));
    return field.kind === 'number' || field.kind === 'integer'
      ? decimalText(key)
      : JSON.stringify(value);
  };
  const encodeObject = (value: Json, tree: FieldTree, path: readonly string[]): string => {
    const members: string[] = [];
    for (const [name, child] of Object.entries(value)) {
      if (child === undefined || child === null) continue;
      const field = tree.get(name);
      const childPath = [...path, name];
      let json: string;
      if (field === undefined) json = JSON.stringify(child);
      else if (field instanceof Map)
        json = encodeObject(checkedObject(child, childPath), field, childPath);
      else json = encodeField(child, field);
      members.push(`${JSON.stringify(name)}:${json}`);
    }
    if (isAmount(tree) && [...tree.keys()].some((name) => (value[name] ?? null) === null))
      throw new TransactionError(`${path.join('.')} must have a currency and a value`);
    return `{${members.join(',')}}`;
  };
  const document = encodeObject(transaction, fields, []);
  return { columns, searchText: texts.join(searchSeparator).toLowerCase(), document };
}

/** Whether the fields are those of an amount. */
function isAmount(tree: FieldTree): boolean {
  return tree.has('currency') && tree.has('value');
}

function encodeValue(value: unknown, { kind, path }: Field): string {
  const mustBe = (expected: string): TransactionError =>
    new TransactionError(`${path.join('.')} must be ${expected}, not ${JSON.stringify(value)}`);
  switch (kind) {
    case 'text':
      if (typeof value !== 'string') throw mustBe('a string');
      return textPrefix + value;
    case 'boolean':
      if (typeof value !== 'boolean') throw mustBe('true or false');
      return value ? '1' : '0';
    case 'date': {
      const key = typeof value === 'string' ? dateKey(value) : undefined;
      if (key === undefined) throw mustBe('a date and time (ISO 8601)');
      return key;
    }
    case 'integer':
      if (
        typeof value !== 'number' ||
        !Number.isInteger(value) ||
        value < int32.minimum ||
        value > int32.maximum
      )
        throw mustBe('an integer (int32)');
      return decimalKey(value);
    case 'number':
      // Text keeps every digit, while a number in JSON or YAML would lose some.
      if (
        typeof value !== 'number' &&
        !(typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value))
      )
        throw mustBe('a number');
      try {
        return decimalKey(value);
      } catch {
        // NaN, infinite or out of range
        throw mustBe('a finite number');
      }
  }
}

function checkedObject(value: unknown, path: readonly string[]): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TransactionError(`${path.join('.')} must be an object, not ${JSON.stringify(value)}`);
  return value as Json;
}
