/** The position of a cursor in a YAML text, even if it cannot be parsed yet. */
export interface Cursor {
  /** The keys around the cursor; `0` means any list entry. */
  readonly path: readonly (string | number)[];
  /** Whether a key or the value of `key` is being typed. */
  readonly writes: 'key' | 'value';
  /** The key whose value is being typed. */
  readonly key?: string;
  /** The typed part. */
  readonly prefix: string;
  /** The number of characters between the start of the prefix and the cursor. */
  readonly length: number;
}

/** A flow collection that is open at the cursor. */
interface FlowLevel {
  readonly kind: '{' | '[';
  /** The key whose value the cursor is in; undefined in a list and before a colon. */
  key: string | undefined;
}

const keyPattern =
  /^(\s*)((?:- +)*)(?:"([^"]+)"|'([^']+)'|([^\s#'"{[&*!|>%@`-][^:#]*?)) *:(?:\s|$)/;

/**
 * Finds the keys around an offset by indentation and open brackets, whether or not the text can be
 * parsed.
 */
export function cursorAt(text: string, offset: number): Cursor {
  const lines = text.slice(0, offset).split('\n');
  const line = lines.pop() ?? '';
  const keyMatch = keyPattern.exec(line);
  if (keyMatch) {
    const { key, column } = matchedKey(keyMatch);
    const pathAround = blockPath(lines, column);
    return cursorInValue([...pathAround, ...listEntries(keyMatch), key], line, keyMatch[0].length);
  }
  const dashes = /^(\s*)((?:- +)*)/.exec(line);
  const column = dashes?.[0].length ?? 0;
  const items = (dashes?.[2]?.match(/-/g) ?? []).map(() => 0);
  const path = [
    ...blockPath(lines, (dashes?.[1] ?? '').length + (items.length > 0 ? 0.5 : 0)),
    ...items,
  ];
  const rest = line.slice(column);
  if (/^[{[]/.test(rest)) return cursorInValue(path, line, column);
  return { path, writes: 'key', prefix: rest.trimStart(), length: rest.trimStart().length };
}

/**
 * The keys of the block collections around a line with this indentation. An indentation of a half,
 * such as 2.5, is that of the content of a list entry whose dash is at column 2.
 */
function blockPath(lines: readonly string[], indentation: number): (string | number)[] {
  const path: (string | number)[] = [];
  let limit = indentation;
  for (let index = lines.length - 1; index >= 0 && limit > 0; index--) {
    const line = lines[index] ?? '';
    if (/^\s*(#|$)/.test(line)) continue;
    const match = keyPattern.exec(line);
    const dash = /^(\s*)- /.exec(line);
    if (match) {
      const { key, column } = matchedKey(match);
      if (column < limit) {
        path.unshift(key);
        limit = column;
      }
    }
    if (
      dash &&
      (dash[1] ?? '').length < limit &&
      !(limit % 1 !== 0 && (dash[1] ?? '').length === Math.floor(limit))
    ) {
      path.unshift(0);
      limit = (dash[1] ?? '').length + 0.5;
    }
  }
  return path;
}

function matchedKey(match: RegExpExecArray): { readonly key: string; readonly column: number } {
  return {
    key: match[3] ?? match[4] ?? match[5] ?? '',
    column: (match[1] ?? '').length + (match[2] ?? '').length,
  };
}

function listEntries(match: RegExpExecArray): number[] {
  return (match[2]?.match(/-/g) ?? []).map(() => 0);
}

/**
 * Follows the open flow collections at the end of a line; `path` ends with the key whose value
 * starts at `start`.
 */
function cursorInValue(path: readonly (string | number)[], line: string, start: number): Cursor {
  const levels: FlowLevel[] = [];
  let wordStart = start;
  for (let index = start; index < line.length; index++) {
    const level = levels.at(-1);
    const char = line[index] ?? '';
    if (char === '"' || char === "'") {
      const end = line.indexOf(char, index + 1);
      if (end === -1) break;
      index = end;
    } else if (char === '{' || char === '[') {
      levels.push({ kind: char, key: undefined });
      wordStart = index + 1;
    } else if (char === '}' || char === ']') {
      levels.pop();
      wordStart = index + 1;
    } else if (char === ',') {
      if (level) level.key = undefined;
      wordStart = index + 1;
    } else if (char === ':' && level?.kind === '{' && level.key === undefined) {
      level.key = line
        .slice(wordStart, index)
        .trim()
        .replace(/^["']|["']$/g, '');
      wordStart = index + 1;
    }
  }
  const keys = levels.flatMap((level): (string | number)[] =>
    level.kind === '[' ? [0] : level.key === undefined ? [] : [level.key],
  );
  const fullPath = [...path, ...keys];
  const prefix = line.slice(wordStart).trimStart();
  const last = levels.at(-1);
  if (last?.kind === '{' && last.key === undefined)
    return { path: fullPath, writes: 'key', prefix, length: prefix.length };
  const key = fullPath.at(-1);
  const pathAround = fullPath.slice(0, -1);
  return {
    path: pathAround,
    writes: 'value',
    ...(key !== undefined && { key: String(key) }),
    prefix,
    length: prefix.length,
  };
}
