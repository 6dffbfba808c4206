/**
 * Parses the YAML that most configurations consist of: block maps and lists, texts, numbers and
 * flow collections on one line. It creates the values and one array with all locations, and a node
 * only when a location is needed: 1 MB takes 54 to 73 ms, and checking it half of the time with the
 * other parsers. One pattern matches a whole simple line, which halves the time of reading
 * character by character, since V8 compiles patterns to machine code earlier than this code.
 * Unusual syntax (anchors, tags, texts of several lines, mistakes) is left to the other parsers,
 * and accepted text is read as they do: a property test compares them.
 */
import type { YamlNode } from './node.js';
import { PlacedNode, Places, Unusual, unquoted } from './placed-node.js';

/**
 * Characters that no plain file contains: tabs, carriage returns, control characters, and spaces
 * and line breaks beyond ASCII.
 */
const unusualCharacter = /[^\n\x20-\x7e\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** The longest text that is cached. */
const cachedLength = 16;

/** The deepest nesting of a plain file. */
const deepest = 40;

/**
 * Parses the documents of a plain file.
 *
 * @returns their roots; undefined if the text has unusual syntax or a mistake.
 */
export function plainParse(text: string): readonly YamlNode[] | undefined {
  if (unusualCharacter.test(text)) return undefined;
  try {
    return new PlainReader(text).documents();
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

const newline = 0x0a;
const blank = 0x20;
const doubleQuote = 0x22;
const hash = 0x23;
const quote = 0x27;
const comma = 0x2c;
const dash = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openMap = 0x7b;
const closeMap = 0x7d;

const words = new Map<string, null | boolean>([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

/**
 * Texts that start like a number: dates, ids, versions, and anything with a letter that no number
 * contains.
 */
const isText = /^\w+-\w+-|^\d+\.\d+\.|^\d[\d.]*[g-mp-wyzG-MP-WYZ]/;

/** The value of an unquoted text; unusual forms of numbers are left to the other parsers. */
function valueOfWord(word: string): unknown {
  const known = words.get(word);
  if (known !== undefined) return known;
  if (!/^[-+.\d]/.test(word)) return word;
  if (/^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(word)) return Number(word);
  if (isText.test(word)) return word;
  throw new Unusual();
}

/** Characters with which an unquoted text never starts, or seldom: indicators. */
const isIndicator = tableOf(',[]{}#&*!|>\'"%@`?:=<');
/** Characters with which a null, boolean or number starts. */
const maySayMore = tableOf('~nNtTfF-+.0123456789');

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(0x80);
  for (const each of characters) table[each.charCodeAt(0)] = 1;
  return table;
}

const noText = '(?:[nN]ull|NULL|[tT]rue|TRUE|[fF]alse|FALSE)';
const itemText = `(?!${noText}[,\\]])[A-Za-z][\\w@./-]*`;
const lineText = `(?!${noText}\\n)[A-Za-z](?:[^\\n:#]*(?::(?=[^ \\n])[^\\n:#]*){0,99}[^\\n:# ])?`;
/**
 * A line with a key, in the most frequent forms: with a text, with a list of texts, or with no
 * value, followed by the indentation of the next line. Captures the key, the text, the inside of
 * the list and the indentation. Repetitions are bounded: V8 keeps each on a stack.
 */
const simpleLine = new RegExp(
  `(?!${noText}:)([A-Za-z][\\w./-]*):(?: +(?:(${lineText})|\\[(${itemText}(?:, ${itemText}){0,99})\\]))?\\n( *)`,
  'y',
);

/** Whether a character ends a text within a flow collection. */
function endsFlowText(code: number): boolean {
  return (
    code === comma ||
    code === openList ||
    code === closeList ||
    code === openMap ||
    code === closeMap
  );
}

/** Parses a text in one pass. After each step, `#at` is the position of the next token. */
class PlainReader {
  readonly #places: Places;
  /** Parsed words, each in the slot where an equal one is looked up. */
  readonly #words = new Array<string>(256).fill('');
  #at = 0;
  /** The column of the next token; -1 at the end of the document. */
  #column = -1;
  /** The end of the last token, with the comments after it. */
  #end = 0;

  constructor(private readonly text: string) {
    this.#places = new Places(16 + (text.length >> 2)); // one node in four characters
  }

  documents(): readonly YamlNode[] {
    const roots: YamlNode[] = [];
    this.#skip(0, 0);
    if (this.#column === -1) this.#skipMarker();
    for (;;) {
      const index = this.#places.length;
      roots.push(new PlacedNode(this.text, this.#places, index, this.#collection(0)));
      if (this.#column !== -1) throw new Unusual();
      if (this.#at === this.text.length) return roots;
      this.#skipMarker();
    }
  }

  /** Skips `---`; something must follow. */
  #skipMarker(): void {
    this.#skip(this.#at + 3, -1);
    if (this.#column === -1) throw new Unusual();
  }

  /**
   * Skips spaces, line breaks and comments before the next token, which must be on another line.
   *
   * @param lineStart the start of the line; -1 if a token on it was read already.
   */
  #skip(from: number, lineStart: number): void {
    const { text } = this;
    let at = from;
    let start = lineStart;
    this.#end = from;
    for (;;) {
      let code = text.charCodeAt(at);
      while (code === blank) code = text.charCodeAt(++at);
      if (code === hash) {
        if (at === from && start === -1) throw new Unusual(); // a comment needs a space before it
        const end = text.indexOf('\n', at);
        at = end === -1 ? text.length : end;
        this.#end = withoutBlanks(text, at);
        code = text.charCodeAt(at);
      }
      if (code !== newline) break;
      start = ++at;
    }
    this.#at = Math.min(at, text.length);
    if (this.#at === text.length) this.#column = -1;
    else if (start === -1)
      throw new Unusual(); // more tokens on the line
    else if (at !== start || !isMarker(text, at)) this.#column = at - start;
    else if (text.startsWith('...', at) || !isLast(text, at + 2)) throw new Unusual();
    else this.#column = -1;
  }

  /** A map or a list, whose entries all start in the column of the next token. */
  #collection(depth: number): unknown {
    if (depth > deepest) throw new Unusual();
    return this.#isDash() ? this.#list(this.#column, depth) : this.#map(this.#column, depth);
  }

  #isDash(): boolean {
    return this.text.charCodeAt(this.#at) === dash && this.text.charCodeAt(this.#at + 1) === blank;
  }

  #map(column: number, depth: number): unknown {
    const { text } = this;
    const index = this.#places.open(this.#at);
    const map: Record<string, unknown> = {};
    do {
      simpleLine.lastIndex = this.#at;
      const simple = simpleLine.exec(text);
      if (simple !== null) {
        this.#simpleLine(simple, map, depth, column);
        continue;
      }
      const end = endOfKey(text, this.#at);
      if (end === -1) throw new Unusual();
      const key = this.#key(this.#at, end, map);
      const at = skipBlanks(text, end + 1);
      const code = text.charCodeAt(at);
      if (code === newline || code === hash) {
        this.#skip(end + 1, -1);
        map[key] = this.#below(column, depth);
      } else map[key] = this.#onLine(at, depth);
    } while (this.#column === column);
    return this.#ended(index, map, column);
  }

  /** Reads a match of {@link simpleLine}. */
  #simpleLine(
    match: RegExpExecArray,
    map: Record<string, unknown>,
    depth: number,
    column: number,
  ): void {
    const key = match[1] ?? '';
    const word = match[2];
    const list = match[3];
    const after = simpleLine.lastIndex;
    const next = match[4]?.length ?? 0;
    const end = after - next - 1;
    if (Object.hasOwn(map, key)) throw new Unusual();
    this.#places.add(this.#at, this.#at + key.length);
    this.#at = after;
    this.#end = end;
    this.#column = next;
    // another line break, a comment, the end, or a possible document marker
    if (!(this.text.charCodeAt(after) > dot)) this.#skip(end, -1);
    if (word !== undefined) {
      this.#places.add(end - word.length, end);
      map[key] = word;
    } else
      map[key] = list === undefined ? this.#below(column, depth) : this.#listOfTexts(list, end);
  }

  /** A list of texts only, each after a comma and a space. */
  #listOfTexts(inside: string, end: number): readonly string[] {
    const index = this.#places.open(end - inside.length - 2);
    const texts = inside.split(', ');
    let at = end - inside.length - 1;
    for (const text of texts) {
      this.#places.add(at, at + text.length);
      at += text.length + 2;
    }
    this.#places.close(index, end);
    return texts;
  }

  /** The value of a key without a value on its line. */
  #below(column: number, depth: number): unknown {
    const isBelow = this.#column > column || (this.#column === column && this.#isDash());
    if (!isBelow) throw new Unusual(); // a key without a value
    return this.#collection(depth + 1);
  }

  #list(column: number, depth: number): unknown {
    const { text } = this;
    const index = this.#places.open(this.#at);
    const list: unknown[] = [];
    do {
      const at = skipBlanks(text, this.#at + 1);
      this.#column += at - this.#at;
      this.#at = at;
      list.push(
        this.#isDash() || endOfKey(text, at) !== -1
          ? this.#collection(depth + 1)
          : this.#onLine(at, depth),
      );
    } while (this.#column === column && this.#isDash());
    return this.#ended(index, list.slice(), column); // a copy has no unused capacity
  }

  #ended(index: number, value: unknown, column: number): unknown {
    if (this.#column > column) throw new Unusual(); // indented further than its parent
    this.#places.close(index, this.#end);
    return value;
  }

  /** A value that takes the rest of its line. */
  #onLine(at: number, depth: number): unknown {
    const { text } = this;
    const code = text.charCodeAt(at);
    if (code === openList || code === openMap) {
      const value = this.#flow(at, depth + 1);
      this.#skip(this.#at, -1);
      return value;
    }
    const end = isQuote(code) ? endOfQuoted(text, at) : endOfText(text, at);
    const value = this.#scalar(at, end);
    this.#skip(end, -1);
    return value;
  }

  #flow(start: number, depth: number): unknown {
    if (depth > deepest) throw new Unusual();
    const { text } = this;
    const index = this.#places.open(start);
    const isList = text.charCodeAt(start) === openList;
    const closing = isList ? closeList : closeMap;
    const list: unknown[] = [];
    const map: Record<string, unknown> = {};
    let at = skipBlanks(text, start + 1);
    while (text.charCodeAt(at) !== closing) {
      if (isList) list.push(this.#inFlow(at, depth));
      else {
        const end = isQuote(text.charCodeAt(at)) ? endOfQuoted(text, at) : endOfFlowText(text, at);
        if (text.charCodeAt(end) !== colon || text.charCodeAt(end + 1) !== blank)
          throw new Unusual();
        const key = this.#key(at, end, map);
        map[key] = this.#inFlow(skipBlanks(text, end + 1), depth);
      }
      at = skipBlanks(text, this.#at);
      if (text.charCodeAt(at) === comma) at = skipBlanks(text, at + 1);
      else if (text.charCodeAt(at) !== closing) throw new Unusual();
    }
    this.#at = at + 1;
    this.#places.close(index, this.#at);
    return isList ? list.slice() : map;
  }

  #inFlow(at: number, depth: number): unknown {
    const { text } = this;
    const code = text.charCodeAt(at);
    if (code === openList || code === openMap) return this.#flow(at, depth + 1);
    this.#at = isQuote(code) ? endOfQuoted(text, at) : endOfFlowText(text, at);
    return this.#scalar(at, this.#at);
  }

  /** A key that the map does not have yet. */
  #key(start: number, end: number, map: object): string {
    const key = this.#scalar(start, end);
    if (typeof key !== 'string' || key === '__proto__' || Object.hasOwn(map, key))
      throw new Unusual();
    return key;
  }

  /**
   * A part of the text. A short one that was read before is the same string: keys repeat, and so do
   * many values.
   */
  #word(start: number, end: number): string {
    const { text } = this;
    const length = end - start;
    if (length < 1 || length > cachedLength) return text.slice(start, end);
    const slot =
      (length * 31 + text.charCodeAt(start) * 7 + text.charCodeAt(end - 1)) % this.#words.length;
    const candidate = this.#words[slot] ?? '';
    if (candidate.length === length && text.startsWith(candidate, start)) return candidate;
    return (this.#words[slot] = text.slice(start, end));
  }

  #scalar(start: number, end: number): unknown {
    const { text } = this;
    this.#places.add(start, end);
    const word = this.#word(start, end);
    const first = text.charCodeAt(start);
    if (isQuote(first)) return unquoted(word);
    if (word === '' || isIndicator[first] === 1) throw new Unusual();
    if (maySayMore[first] !== 1) return word;
    if (isMarker(word, 0) || /^-(?: |$)/.test(word)) throw new Unusual();
    return valueOfWord(word);
  }
}

function isQuote(code: number): boolean {
  return code === quote || code === doubleQuote;
}

/** Whether a line starts with a document marker, or something similar. */
function isMarker(text: string, at: number): boolean {
  return text.startsWith('---', at) || text.startsWith('...', at);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === blank) at++;
  return at;
}

function withoutBlanks(text: string, end: number): number {
  let at = end;
  while (text.charCodeAt(at - 1) === blank) at--;
  return at;
}

/**
 * Whether a character is the last one before a space, a line break or the end: a colon then ends a
 * key.
 */
function isLast(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === blank || next === newline || at + 1 === text.length;
}

/** Whether a line ends here, or a comment begins. */
function endsLine(text: string, at: number, code: number): boolean {
  return (
    code === newline || at >= text.length || (code === hash && text.charCodeAt(at - 1) === blank)
  );
}

/** The end of the key that starts here; -1 if the line has none. */
function endOfKey(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (isQuote(first)) {
    const end = endOfQuoted(text, start);
    return text.charCodeAt(end) === colon && isLast(text, end) ? end : -1;
  }
  if (first === openList || first === openMap) return -1;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === colon && isLast(text, at)) {
      if (text.charCodeAt(at - 1) === blank) throw new Unusual();
      return at;
    }
    if (endsLine(text, at, code)) return -1;
  }
}

/** The end of an unquoted text that takes the rest of a line. */
function endOfText(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (endsLine(text, at, code)) return withoutBlanks(text, at);
    if (code === colon && isLast(text, at)) throw new Unusual();
  }
}

/** The end of an unquoted text in a flow collection: at an indicator, or at the colon of a key. */
function endOfFlowText(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (endsLine(text, at, code)) throw new Unusual();
    if (endsFlowText(code)) return withoutBlanks(text, at);
    if (code === colon && (isLast(text, at) || endsFlowText(text.charCodeAt(at + 1))))
      return withoutBlanks(text, at);
  }
}

/** The end of a quoted text, including its quotes. */
function endOfQuoted(text: string, start: number): number {
  const mark = text.charCodeAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === newline) break;
    if (mark === doubleQuote && code === 0x5c /* \ */) at++;
    else if (code === mark) {
      if (mark === doubleQuote || text.charCodeAt(at + 1) !== mark) return at + 1;
      at++;
    }
  }
  throw new Unusual();
}
