import { dateText } from './date-key.js';
import { decimalText } from './decimal-key.js';
import type { FieldTree } from './encode.js';
import { fieldColumns } from './fields.js';
import type { Field } from './fields.js';

type Json = Record<string, unknown>;

/** What is read of a stored transaction, in this order. */
export const rowColumns: readonly string[] = [...fieldColumns, 'extra'];
const extraAt = rowColumns.length - 1;

/** A stored transaction: the values of {@link rowColumns}, each as it stands between the quotes of a JSON string. */
export type Row = readonly string[];

/** Makes a {@link Row} of values. */
export function rowOf(values: readonly unknown[]): Row {
  return values.map((value) => JSON.stringify(value ?? '').slice(1, -1));
}

/** Prints a stored transaction: adds its JSON text, in pieces, to what is printed already. */
export type Printer = (row: Row, out: string[]) => void;

/** Adds the text of a part; false, and nothing added, where it is absent. */
type Print = (row: Row, extra: Json, out: string[]) => boolean;

/**
 * Makes the printer of a dialect. Numbers are written digit by digit as they were stored: they never pass through binary floating
 * point.
 */
export function printerOf(fields: FieldTree): Printer {
  const print = objectPrinter(fields);
  return (row, out) => {
    const more = row[extraAt] ?? '';
    const extra = more === '' ? nothing : treeOf(JSON.parse(JSON.parse(`"${more}"`) as string) as [string[], unknown][]);
    if (!print(row, extra, out)) out.push('{}');
  };
}

const nothing: Json = {};

function objectPrinter(tree: FieldTree): Print {
  const members = [...tree].map(([name, child]) => ({
    first: `{${JSON.stringify(name)}:`,
    further: `,${JSON.stringify(name)}:`,
    print: child instanceof Map ? inner(name, objectPrinter(child)) : leaf(name, child),
  }));
  return (row, extra, out) => {
    const start = out.length;
    for (const { first, further, print } of members) {
      const at = out.push(out.length === start ? first : further);
      if (!print(row, extra, out)) out.length = at - 1;
    }
    if (extra !== nothing)
      for (const [name, value] of Object.entries(extra))
        if (!tree.has(name)) out.push(`${out.length === start ? '{' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return out.length > start && out.push('}') > 0;
  };
}

function inner(name: string, print: Print): Print {
  return (row, extra, out) => {
    const more = extra === nothing ? undefined : extra[name];
    return print(row, isObject(more) ? more : nothing, out);
  };
}

function leaf(name: string, { kind, column }: Field): Print {
  const at = rowColumns.indexOf(column);
  const print = printers[kind];
  return (row, extra, out) => {
    // The spelling that was given goes before the usual one.
    const given = extra === nothing ? undefined : extra[name];
    const stored = row[at] ?? '';
    if (given === undefined && stored === '') return false;
    out.push(given === undefined ? print(stored) : JSON.stringify(given));
    return true;
  };
}

const printers: Readonly<Record<Field['kind'], (stored: string) => string>> = {
  text: (stored) => `"${stored.slice(1)}"`,
  boolean: (stored) => (stored === '1' ? 'true' : 'false'),
  date: (stored) => `"${dateText(stored)}"`,
  number: decimalText,
  integer: decimalText,
};

function treeOf(entries: readonly [readonly string[], unknown][]): Json {
  const root: Json = {};
  for (const [path, value] of entries) {
    let place = root;
    for (const word of path.slice(0, -1)) {
      const next = isObject(place[word]) ? place[word] : {};
      place[word] = next;
      place = next;
    }
    place[path[path.length - 1] ?? ''] = value;
  }
  return root;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
