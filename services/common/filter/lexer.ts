import { guidRegexSource } from '../../../core/values/guid.js';
/** A token of a filter, with its position. */
export interface Token {
  /** `word`: a name, operator, `true`, `false` or `null`; `end`: after the text. */
  readonly kind:
    'word' | 'string' | 'number' | 'date' | 'guid' | '(' | ')' | ',' | '/' | ':' | 'end';
  /** As written; for strings without quotes, with doubled quotes undone. */
  readonly text: string;
  /** Offset in the text, from 0. */
  readonly position: number;
}

/** Creates the error for a syntax mistake. `position`: offset in the text, from 0. */
export type CreateSyntaxError = (reason: string, position: number) => Error;

/**
 * Sticky patterns in the order in which they are tried; each takes linear time. GUIDs and dates
 * come before numbers, with which they start.
 */
const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['guid', new RegExp(`${guidRegexSource}(?![\\w-])`, 'y')],
  [
    'date',
    /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w.-])/iy,
  ],
  ['number', /-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?(?![\w.])/iy],
  ['word', /[$A-Za-z_@][\w.@]*/y],
];

const signs = new Set<string>(['(', ')', ',', '/', ':']);

/**
 * Splits a filter into tokens.
 *
 * @throws the error of `createError` for an unknown character, an unterminated string, and a text
 *   over the length limit.
 */
export function tokenize(
  text: string,
  maxLength: number,
  createError: CreateSyntaxError,
): readonly Token[] {
  if (text.length > maxLength)
    throw createError(`it is longer than ${maxLength} characters`, maxLength);
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    const character = text[position] ?? '';
    if (/\s/.test(character)) {
      position++;
    } else if (character === "'") {
      const [token, next] = readString(text, position, createError);
      tokens.push(token);
      position = next;
    } else {
      const token = signs.has(character)
        ? { kind: character as '(', text: character, position }
        : readPattern(text, position);
      if (!token) throw createError(`unexpected '${character}'`, position);
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

function readString(text: string, start: number, createError: CreateSyntaxError): [Token, number] {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf("'", from);
    if (quote < 0) throw createError('a string is not closed', start);
    value += text.slice(from, quote);
    if (text[quote + 1] !== "'")
      return [{ kind: 'string', text: value, position: start }, quote + 1];
    value += "'";
    from = quote + 2;
  }
}
