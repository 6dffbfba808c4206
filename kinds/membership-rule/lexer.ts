import type { MembershipRuleError } from './ast.js';

/** A syntax error; parseMembershipRule returns it instead of throwing it. */
export class RuleSyntaxError extends Error {
  constructor(
    message: string,
    readonly position: number,
    readonly suggestion?: MembershipRuleError['suggestion'],
  ) {
    super(message);
    this.name = 'RuleSyntaxError';
  }
}

/** A token of a rule, with its position. */
export interface RuleToken {
  /**
   * `operator`: a word after a hyphen (or an en dash, as some pages print it); its text has no
   * hyphen.
   */
  readonly kind:
    'word' | 'operator' | 'string' | 'number' | 'date' | '(' | ')' | '[' | ']' | ',' | 'end';
  /** Of a string: the value, without quotes and escapes. */
  readonly text: string;
  /** Offset in the rule, from 0. */
  readonly start: number;
  /** The offset after its last character. */
  readonly end: number;
}

const blankPattern = /\s+/y;
const wordPattern = /[A-Za-z_$][\w.$]*/y;
const operatorPattern = /[-\u2013]([A-Za-z]\w*)/y;
const datePattern = /\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?(?![\w.])/iy;
const numberPattern = /-?\d+(?:\.\d+)?(?![\w.])/y;

/**
 * Splits a rule into tokens.
 *
 * @throws RuleSyntaxError for a character that begins no token, and for an unclosed string.
 */
export function tokenizeRule(text: string): readonly RuleToken[] {
  const tokens: RuleToken[] = [];
  let position = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    return pattern.exec(text);
  };
  while (position < text.length) {
    const blanks = read(blankPattern);
    if (blanks) {
      position += blanks[0].length;
      continue;
    }
    const token =
      readPunctuation(text, position) ??
      readQuoted(text, position) ??
      fromMatch('date', read(datePattern)) ??
      fromMatch('number', read(numberPattern)) ??
      fromMatch('operator', read(operatorPattern)) ??
      fromMatch('word', read(wordPattern));
    if (!token)
      throw new RuleSyntaxError(
        `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(position) ?? 0))}`,
        position,
      );
    tokens.push(token);
    position = token.end;
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

function readPunctuation(text: string, position: number): RuleToken | undefined {
  const character = text[position];
  if (
    character !== '(' &&
    character !== ')' &&
    character !== '[' &&
    character !== ']' &&
    character !== ','
  )
    return undefined;
  return { kind: character, text: character, start: position, end: position + 1 };
}

function fromMatch(
  kind: 'word' | 'operator' | 'number' | 'date',
  match: RegExpExecArray | null,
): RuleToken | undefined {
  return match
    ? { kind, text: match[1] ?? match[0], start: match.index, end: match.index + match[0].length }
    : undefined;
}

/**
 * A string: in double quotes, escaped by backticks; or in single quotes, which are doubled in it.
 */
function readQuoted(text: string, start: number): RuleToken | undefined {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return undefined;
  let value = '';
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index] ?? '';
    const next = text[index + 1];
    if (quote === '"' && character === '`' && (next === '"' || next === '`'))
      value += text[++index] ?? '';
    else if (quote === "'" && character === "'" && next === "'") value += text[++index] ?? '';
    else if (character === quote) return { kind: 'string', text: value, start, end: index + 1 };
    else value += character;
  }
  throw new RuleSyntaxError(`a string that begins with ${quote} is not closed`, start);
}
