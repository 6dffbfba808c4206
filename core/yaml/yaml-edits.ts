import { Lexer, stringify } from 'yaml';
import type { ConfigPath } from './layers.js';
import { entriesOf, type YamlEntry, type YamlNode } from './node.js';
import type { YamlDocument } from './parse-yaml.js';

/** One replacement in a text, by offsets; an insertion where they are equal. */
export interface TextEdit {
  readonly start: number;
  /** The offset after the replaced text. */
  readonly end: number;
  readonly text: string;
}

/**
 * The smallest edit of a YAML text that sets a value at a path and keeps every comment and the
 * layout.
 *
 * @param value the new value; `undefined` removes the key.
 * @returns undefined if the path cannot be edited: behind an alias or a merge key, or below a value
 *   without keys.
 */
export function editToSetValue(
  document: YamlDocument,
  path: ConfigPath,
  value: unknown,
): TextEdit | undefined {
  const { text } = document.source;
  let node = document.root;
  for (const [depth, step] of path.entries()) {
    const isLast = depth === path.length - 1;
    if (node.kind === 'list') {
      const item = node.children[Number(step)];
      if (item === undefined) return undefined;
      if (isLast && value === undefined) return removeItem(text, node, Number(step));
      node = item;
      continue;
    }
    if (node.kind !== 'map') return undefined;
    const entry = entriesOf(node).get(String(step));
    if (entry === undefined)
      return value === undefined ? undefined : insertEntry(text, node, path.slice(depth), value);
    if (isLast && value === undefined) return removeEntry(text, node, entry);
    node = entry.value;
  }
  if (node.kind === 'alias') return undefined;
  return replaceNode(text, node, value);
}

/**
 * The edit that renames a key.
 *
 * @returns undefined if there is no such key, or already one of the new name.
 */
export function editToRenameKey(
  document: YamlDocument,
  path: ConfigPath,
  name: string,
): TextEdit | undefined {
  let node = document.root;
  for (const [depth, step] of path.entries()) {
    if (node.kind === 'list') {
      const item = node.children[Number(step)];
      if (item === undefined) return undefined;
      node = item;
      continue;
    }
    if (node.kind !== 'map') return undefined;
    const entries = entriesOf(node);
    const entry = entries.get(String(step));
    if (entry === undefined) return undefined;
    if (depth === path.length - 1)
      return entries.has(name)
        ? undefined
        : {
            start: entry.key.start,
            end: entry.key.end,
            text: quotedAs(document.source.text[entry.key.start], name) ?? toFlowYaml(name),
          };
    node = entry.value;
  }
  return undefined;
}

/** A text with edits applied; they must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (result, { start, end, text: replacement }) =>
        result.slice(0, start) + replacement + result.slice(end),
      text,
    );
}

function replaceNode(text: string, node: YamlNode, value: unknown): TextEdit {
  const isEmpty = node.start >= node.end;
  const needsBlank = isEmpty && text[node.start - 1] === ':';
  return {
    start: node.start,
    end: contentEnd(text, node),
    text: `${needsBlank ? ' ' : ''}${quotedAs(text[node.start], value) ?? toFlowYaml(value)}`,
  };
}

/** A text in the same quotes as before, if they can contain it. */
function quotedAs(quote: string | undefined, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (quote === '"') return JSON.stringify(value);
  return quote === "'" && /^[ -~]*$/.test(value) ? `'${value.replaceAll("'", "''")}'` : undefined;
}

/**
 * The end of a node without the blank lines and comments in a block collection's range, and without
 * the line break in that of a block scalar.
 */
function contentEnd(text: string, node: YamlNode): number {
  const last = isFlow(text, node) ? undefined : node.children.at(-1);
  if (last !== undefined) return contentEnd(text, last);
  const isBlockScalar = node.kind === 'scalar' && /[|>]/.test(text[node.start] ?? '');
  return isBlockScalar ? node.start + text.slice(node.start, node.end).trimEnd().length : node.end;
}

function insertEntry(text: string, map: YamlNode, path: ConfigPath, value: unknown): TextEdit {
  const [key, ...keysBelow] = path;
  const content = keysBelow.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
  const entry = `${toFlowYaml(String(key))}: ${toFlowYaml(content)}`;
  const last = map.children.at(-1);
  if (isFlow(text, map)) {
    const offset = last === undefined ? map.start + 1 : contentEnd(text, last);
    return { start: offset, end: offset, text: last === undefined ? ` ${entry} ` : `, ${entry}` };
  }
  const first = map.children[0];
  if (first === undefined || last === undefined)
    return { start: map.start, end: map.end, text: `{ ${entry} }` };
  const offset = endOfLine(text, contentEnd(text, last));
  return {
    start: offset,
    end: offset,
    text: `${text.includes('\r\n') ? '\r\n' : '\n'}${' '.repeat(columnOf(text, first.start))}${entry}`,
  };
}

function removeEntry(text: string, map: YamlNode, entry: YamlEntry): TextEdit {
  const index = map.children.indexOf(entry.key);
  const start = entryStart(text, entry);
  const end = contentEnd(text, entry.value);
  if (isFlow(text, map)) return removeFlowPart(text, map, start, end, map.children[index - 1]);
  if (map.children.length === 2) return emptyCollection(text, start, end, '{}');
  return removeBlockPart(text, start, end, map.children[index + 2]?.start);
}

/** Where an entry begins: at its key, or at the question mark that may be before it. */
function entryStart(text: string, { key }: YamlEntry): number {
  const lineStart = text.lastIndexOf('\n', key.start - 1) + 1;
  const mark = /\?[ \t]+$/.exec(text.slice(lineStart, key.start));
  return mark === null ? key.start : lineStart + mark.index;
}

function removeItem(text: string, list: YamlNode, index: number): TextEdit | undefined {
  const item = list.children[index];
  if (item === undefined) return undefined;
  if (isFlow(text, list))
    return removeFlowPart(text, list, item.start, contentEnd(text, item), list.children[index - 1]);
  const dash = dashOf(text, list, item);
  if (list.children.length === 1) return emptyCollection(text, dash, contentEnd(text, item), '[]');
  return removeBlockPart(text, dash, contentEnd(text, item), undefined);
}

/** Replaces the only entry of a collection, leaving an empty one, with the comments inside. */
function emptyCollection(text: string, start: number, end: number, empty: string): TextEdit {
  return { start, end, text: [empty, ...commentsIn(text.slice(start, end))].join(' ') };
}

/** Removes an entry of a flow collection with its comma, and keeps a comment between the two. */
function removeFlowPart(
  text: string,
  collection: YamlNode,
  start: number,
  end: number,
  previous: YamlNode | undefined,
): TextEdit {
  if (previous !== undefined) {
    const comma = commaAfter(text, contentEnd(text, previous));
    const between = text.slice(comma + 1, start);
    return { start: comma, end, text: between.includes('#') ? between : '' };
  }
  const comma = /^\s*,\s*/.exec(text.slice(end, collection.end));
  return { start, end: end + (comma?.[0].length ?? 0), text: '' };
}

/**
 * Removes whole lines; a part that shares its line with preceding text (`- key: …`) is replaced by
 * what follows it. Comments within the part stay: they may explain why it was there.
 */
function removeBlockPart(
  text: string,
  start: number,
  end: number,
  nextStart: number | undefined,
): TextEdit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = endOfLine(text, end);
  const linePrefix = text.slice(lineStart, start);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const comments = commentsIn(text.slice(start, lineEnd));
  if (linePrefix.trim() !== '') {
    if (nextStart === undefined || comments.length === 0)
      return { start, end: nextStart ?? lineEnd, text: comments.join(' ') };
    const lines = [...comments, ''].join(`${newline}${' '.repeat(start - lineStart)}`);
    return { start, end: nextStart, text: lines };
  }
  const ownLines = comments.map((comment) => `${linePrefix}${comment}`);
  if (lineEnd < text.length)
    return {
      start: lineStart,
      end: text.indexOf('\n', lineEnd) + 1,
      text: ownLines.map((each) => `${each}${newline}`).join(''),
    };
  return {
    start: lineStart === 0 ? 0 : endOfLine(text, lineStart - 1),
    end: lineEnd,
    text: ownLines.map((each) => `${newline}${each}`).join(''),
  };
}

/** The offset of an item's dash: in the column of the list, on the item's line or above it. */
function dashOf(text: string, list: YamlNode, item: YamlNode): number {
  const column = columnOf(text, list.start);
  let lineStart = item.start - columnOf(text, item.start);
  while (lineStart > list.start) {
    const dash = lineStart + column;
    // a comment between the two may have a dash in this column
    if (text[dash] === '-' && !text.slice(lineStart, dash).includes('#')) return dash;
    lineStart -= columnOf(text, lineStart - 1) + 1;
  }
  return list.start;
}

/** The offset of the comma after an entry: comments before it, and an empty value, are skipped. */
function commaAfter(text: string, end: number): number {
  const skipped = /(?:[\s:]+|#.*)*/y;
  skipped.lastIndex = end;
  skipped.test(text);
  return skipped.lastIndex;
}

/** The comments in a part of a YAML text, in their order. */
function commentsIn(part: string): readonly string[] {
  return part.includes('#')
    ? [...new Lexer().lex(part)].filter((token) => token.startsWith('#'))
    : [];
}

function isFlow(text: string, node: YamlNode): boolean {
  return node.kind === 'map' || node.kind === 'list'
    ? text[node.start] === '{' || text[node.start] === '['
    : false;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end - (text[end - 1] === '\r' ? 1 : 0);
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** A value on one line, as YAML writes it in flow style. */
export function toFlowYaml(value: unknown): string {
  if (typeof value === 'string') return toFlowScalar(value);
  return stringify(value, {
    collectionStyle: 'flow',
    lineWidth: 0,
    flowCollectionPadding: true,
  }).trimEnd();
}

/** Quotes a text if it would change its meaning in block or flow style. */
function toFlowScalar(value: string): string {
  const isPlain =
    /^[A-Za-z0-9_./][\w./@ -]*$/.test(value) &&
    !value.endsWith(' ') &&
    stringify(value).trimEnd() === value;
  return isPlain ? value : JSON.stringify(value);
}
