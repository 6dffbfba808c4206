import { closeSync, openSync, writeFileSync } from 'node:fs';
import { breaksEmptyCollections } from '../cdktf-internals.js';

/** How many characters are collected before they are written to the file. */
const maxPieceLength = 1 << 18;

/** Writes data as JSON with sorted keys and two spaces a level, as cdktf or cdktn writes it. */
export function writeJson(path: string, value: unknown): void {
  const file = openSync(path, 'w');
  try {
    let piece = '';
    // writeFileSync, because writeSync returns without an error if the disk takes a part only
    const write = (text: string): void => {
      piece += text;
      if (piece.length < maxPieceLength) return;
      writeFileSync(file, piece);
      piece = '';
    };
    writeParts(value, '\n', 0, write);
    writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}

/** From this depth (below section, type and name), a value is converted to JSON as a whole. */
const maxSplitDepth = 3;

function writeParts(
  value: unknown,
  indent: string,
  depth: number,
  write: (text: string) => void,
): void {
  if (
    depth === maxSplitDepth ||
    value === null ||
    typeof value !== 'object' ||
    Array.isArray(value)
  ) {
    write(jsonText(value, indent));
    return;
  }
  const keys = Object.keys(value).sort();
  if (keys.length === 0) {
    write(withBrackets('{', '', '}', indent));
    return;
  }
  write('{');
  let separator = '';
  for (const key of keys) {
    write(`${separator}${indent}  ${JSON.stringify(key)}: `);
    writeParts((value as Readonly<Record<string, unknown>>)[key], `${indent}  `, depth + 1, write);
    separator = ',';
  }
  write(`${indent}}`);
}

function jsonText(value: unknown, indent: string): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${inner}${jsonText(item, inner)}`;
    return withBrackets('[', text, ']', indent);
  }
  for (const key of Object.keys(value).sort())
    text += `${text === '' ? '' : ','}${inner}${JSON.stringify(key)}: ${jsonText((value as Readonly<Record<string, unknown>>)[key], inner)}`;
  return withBrackets('{', text, '}', indent);
}

function withBrackets(open: string, text: string, close: string, indent: string): string {
  return text === '' && !breaksEmptyCollections ? open + close : `${open}${text}${indent}${close}`;
}
