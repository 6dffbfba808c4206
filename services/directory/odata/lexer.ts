import { odataLimits } from './limits.js';
import { ODataError, syntaxError } from './odata-error.js';

/** One word of a `$filter`, with its place. */
export interface Token {
  readonly kind: 'word' | 'string' | 'number' | 'date' | 'guid' | '(' | ')' | ',' | '/' | ':' | 'end';
  /** As written; a string's text is without its quotes, with doubled quotes undone. */
  readonly text: string;
  readonly position: number;
}

/** Sticky patterns in the order they are tried; each is linear. A GUID or a date would otherwise begin like a number. */
const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['guid', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/iy],
  ['date', /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[+-]\d{2}:\d{2}))?(?![\w-])/iy],
  ['number', /-?\d{1,18}(?:\.\d{1,18})?(?![\w.])/y],
  ['word', /[$A-Za-z_@][\w.@]*/y],
];

/**
 * Splits a `$filter` into words.
 *
 * @throws ODataError Request_BadRequest with the position of what doesn't belong, or for a text over the length limit.
 */
export function tokenize(text: string, option = 'filter'): readonly Token[] {
  if (text.length > odataLimits.length)
    throw new ODataError('Request_BadRequest', `Invalid ${option} clause: it is longer than ${odataLimits.length} characters.`);
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    const character = text[position] ?? '';
    if (/\s/.test(character)) {
      position++;
    } else if (character === "'") {
      const [token, next] = readString(text, position, option);
      tokens.push(token);
      position = next;
    } else if (character === '(' || character === ')' || character === ',' || character === '/' || character === ':') {
      tokens.push({ kind: character, text: character, position });
      position++;
    } else {
      const token = readPattern(text, position);
      if (!token) throw syntaxError(option, `unexpected '${character}'`, position);
      tokens.push(token);
      position += token.text.length;
    }
  }
  tokens.push({ kind: 'end', text: '', position: text.length });
  return tokens;
}

function readPattern(text: string, position: number): Token | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match) return { kind, text: match[0], position };
  }
  return undefined;
}

function readString(text: string, start: number, option: string): [Token, number] {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf("'", from);
    if (quote < 0) throw syntaxError(option, 'a string is not closed', start);
    value += text.slice(from, quote);
    if (text[quote + 1] !== "'") return [{ kind: 'string', text: value, position: start }, quote + 1];
    value += "'";
    from = quote + 2;
  }
}
