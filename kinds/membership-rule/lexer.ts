import type { MembershipRuleError } from './ast.js';

/** Ends parsing; parseMembershipRule converts it to its result. */
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
  readonly kind: 'word' | 'operator' | 'string' | 'number' | '(' | ')' | '[' | ']' | ',' | 'end';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const blank = /\s+/y;
const word = /[A-Za-z_$][\w.$]*/y;
const operator = /[-\u2013]([A-Za-z]\w*)/y;
const number = /-?\d+(?:\.\d+)?(?![\w.])/y;

/**
 * Splits a rule into tokens.
 *
 * @throws RuleSyntaxError
 */
export function tokenizeRule(text: string): readonly RuleToken[] {
  const tokens: RuleToken[] = [];
  let position = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    return pattern.exec(text);
  };
  while (position < text.length) {
    const skipped = read(blank);
    if (skipped) {
      position += skipped[0].length;
      continue;
    }
    const token =
      readMark(text, position) ??
      readQuoted(text, position) ??
      fromMatch('number', read(number)) ??
      fromMatch('operator', read(operator)) ??
      fromMatch('word', read(word));
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

function readMark(text: string, position: number): RuleToken | undefined {
  const mark = text[position];
  if (mark !== '(' && mark !== ')' && mark !== '[' && mark !== ']' && mark !== ',')
    return undefined;
  return { kind: mark, text: mark, start: position, end: position + 1 };
}

function fromMatch(
  kind: 'word' | 'operator' | 'number',
  match: RegExpExecArray | null,
): RuleToken | undefined {
  return match
    ? { kind, text: match[1] ?? match[0], start: match.index, end: match.index + match[0].length }
    : undefined;
}

/** A string: in double quotes with backslash escapes, or in single quotes with quotes doubled. */
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
