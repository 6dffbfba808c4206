import { QuerySyntaxError } from './syntax-error.js';

/** A word of a filter. */
export interface Token {
  readonly kind: 'word' | 'string' | 'number' | 'date' | '(' | ')' | ',' | 'end';
  /** The value: a string without its quotes, everything else as it was written. */
  readonly text: string;
  readonly position: number;
}

const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['date', /\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?(?![\w.])/y],
  ['number', /-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y],
  ['word', /[A-Za-z_][\w]*(?:\/[A-Za-z_][\w]*)*/y],
];

/**
 * Splits a filter into its words.
 *
 * @throws QuerySyntaxError for a character that begins nothing, and for a string without an end.
 */
export function tokenize(option: string, source: string): readonly Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < source.length) {
    const letter = source.charAt(position);
    if (/\s/.test(letter)) position += 1;
    else if (letter === '(' || letter === ')' || letter === ',') tokens.push({ kind: letter, text: letter, position: position++ });
    else if (letter === "'") {
      const [text, end] = readString(option, source, position);
      tokens.push({ kind: 'string', text, position });
      position = end;
    } else {
      const token = readWord(source, position);
      if (!token) throw new QuerySyntaxError(option, position, `the character ${JSON.stringify(letter)} is not expected`);
      tokens.push(token);
      position += token.text.length;
    }
  }
  tokens.push({ kind: 'end', text: '', position: source.length });
  return tokens;
}

/** A string with its quotes, in which a quote is written twice. */
function readString(option: string, source: string, start: number): readonly [string, number] {
  let text = '';
  for (let position = start + 1; position < source.length; position++) {
    const letter = source.charAt(position);
    if (letter !== "'") text += letter;
    else if (source.charAt(position + 1) === "'") {
      text += "'";
      position += 1;
    } else return [text, position + 1];
  }
  throw new QuerySyntaxError(option, start, 'the string has no closing quote');
}

function readWord(source: string, position: number): Token | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = position;
    const match = pattern.exec(source);
    if (match) return { kind, text: match[0], position };
  }
  return undefined;
}
