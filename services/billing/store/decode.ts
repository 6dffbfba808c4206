import { dateText } from './date-key.js';
import { decimalText } from './decimal-key.js';
import type { FieldTree } from './encode.js';
import type { Field } from './fields.js';

type Json = Record<string, unknown>;

/**
 * Prints a stored transaction as JSON text. Numbers are written digit by digit as they were stored: they never pass through binary
 * floating point.
 */
export function printTransaction(row: Readonly<Record<string, unknown>>, fields: FieldTree): string {
  const extra = row['extra'] === '' ? {} : treeOf(JSON.parse(String(row['extra'])) as [string[], unknown][]);
  return printObject(row, fields, extra) ?? '{}';
}

function printObject(row: Readonly<Record<string, unknown>>, tree: FieldTree, extra: Json): string | undefined {
  const members: string[] = [];
  for (const [name, child] of tree) {
    const more = extra[name];
    let text: string | undefined;
    if (child instanceof Map) text = printObject(row, child, isObject(more) ? more : {});
    // The spelling that was given goes before the usual one.
    else text = more === undefined ? printLeaf(String(row[child.column] ?? ''), child) : JSON.stringify(more);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  for (const [name, value] of Object.entries(extra)) if (!tree.has(name)) members.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return members.length === 0 ? undefined : `{${members.join(',')}}`;
}

function printLeaf(stored: string, { kind }: Field): string | undefined {
  if (stored === '') return undefined;
  switch (kind) {
    case 'text':
      return JSON.stringify(stored.slice(1));
    case 'boolean':
      return stored === '1' ? 'true' : 'false';
    case 'date':
      return `"${dateText(stored)}"`;
    case 'number':
    case 'integer':
      return decimalText(stored);
  }
}

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
