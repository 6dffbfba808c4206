import { isTypo, nearest } from '../../core/text/nearest.js';
import type { RuleOperand, RuleOperator, RulePropertyType, RuleScalar, RuleValue } from './ast.js';
import { parseDuration } from './duration.js';
import { parseInstant } from '../../core/values/instant.js';
import { checkPattern } from './pattern.js';
import type { RuleToken } from './lexer.js';
import type { TokenReader } from './token-reader.js';

const nullWords = new Set(['null', '$null']);

/** Parses the right side of a comparison and checks it against its left side and operator. */
export function parseValue(
  reader: TokenReader,
  left: RuleOperand,
  operator: RuleOperator,
): RuleValue {
  // an entry (`_`) of a property inside -any or -all
  const type = left.subject === 'entry' ? 'string' : left.type;
  const { start } = reader.next;
  const value = readValue(reader, type);
  const takesList = operator === 'in' || operator === 'notIn';
  if (takesList !== (value.type === 'list'))
    reader.fail(
      takesList
        ? `-${operator} takes a list such as ["A","B"]`
        : `a list is only compared with -in and -notIn, not with -${operator}`,
      start,
    );
  if (value.type === 'null' && operator !== 'eq' && operator !== 'ne')
    reader.fail(`null is only compared with -eq and -ne, not with -${operator}`, start);
  if (value.type === 'string' && (operator === 'match' || operator === 'notMatch')) {
    const reason = checkPattern(value.value);
    if (reason !== undefined)
      reader.fail(`the pattern of -${operator} can't be used: ${reason}`, start);
  }
  return checkType(reader, type, value, start);
}

/** Checks that a value can be compared with the property; a Boolean in quotes becomes a Boolean. */
function checkType(
  reader: TokenReader,
  type: RulePropertyType,
  value: RuleValue,
  start: number,
): RuleValue {
  if (value.type === 'null') return value;
  if (type === 'boolean') {
    if (value.type === 'boolean') return value;
    const word = value.type === 'string' ? value.value.toLowerCase() : '';
    if (word === 'true' || word === 'false') return { type: 'boolean', value: word === 'true' };
    return reader.fail('a Boolean property is compared with true or false', start);
  }
  if (type === 'date') {
    if (
      value.type === 'now' ||
      (value.type === 'string' && !Number.isNaN(parseInstant(value.value)))
    )
      return value;
    return reader.fail(
      'a date is compared with an ISO 8601 date such as 2027-05-01T00:00:00Z or with system.now',
      start,
    );
  }
  if (value.type === 'now')
    reader.fail('system.now is only compared with user.employeeHireDate', start);
  return value;
}

/** Reads a value; only one that is compared with a date may be a date without quotes. */
function readValue(reader: TokenReader, type: RulePropertyType): RuleValue {
  const openingBracket = reader.accept('[');
  if (openingBracket) return { type: 'list', values: readList(reader, ']') };
  const scalar = readScalar(reader);
  if (scalar) return scalar;
  const date = type === 'date' ? reader.accept('date') : undefined;
  if (date) return { type: 'string', value: date.text };
  const { kind, text } = reader.next;
  if (kind === 'word' && nullWords.has(text.toLowerCase())) {
    reader.take();
    return { type: 'null' };
  }
  if (kind === 'word' && text.toLowerCase() === 'system.now') return readNow(reader);
  return reader.fail(
    `expected a value (text in quotes, a number, true, false, null or a list), found ${reader.describeNext()}${kind === 'word' || kind === 'date' ? hintFor(text) : ''}`,
  );
}

/** The suggestion for a word without quotes: a keyword of values, or the word in quotes. */
function hintFor(word: string): string {
  const nearestKeyword = nearest(word, ['true', 'false', 'null', 'system.now']);
  // "Sales" is two letters from "false", and means a text
  const isMisspelt = nearestKeyword?.startsWith(word.charAt(0).toLowerCase()) === true;
  return isMisspelt && isTypo(word, nearestKeyword)
    ? `; did you mean ${nearestKeyword}?`
    : `; write text in quotes: "${word}"`;
}

/** The entries of a list up to its closing bracket; an empty list is refused. */
export function readList(reader: TokenReader, close: ']' | ')'): readonly RuleScalar[] {
  const values: RuleScalar[] = [];
  do
    values.push(
      readScalar(reader) ??
        reader.fail(`expected a value in the list, found ${reader.describeNext()}`),
    );
  while (reader.accept(','));
  reader.expect(close, `',' or '${close}'`);
  return values;
}

function readScalar(reader: TokenReader): RuleScalar | undefined {
  const { kind, text } = reader.next;
  const scalar = scalarOf(kind, text);
  if (scalar) reader.take();
  return scalar;
}

function scalarOf(kind: RuleToken['kind'], text: string): RuleScalar | undefined {
  if (kind === 'string') return { type: 'string', value: text };
  if (kind === 'number') return { type: 'number', value: text };
  const word = kind === 'word' ? text.toLowerCase() : '';
  return word === 'true' || word === 'false'
    ? { type: 'boolean', value: word === 'true' }
    : undefined;
}

function readNow(reader: TokenReader): RuleValue {
  reader.take();
  const sign = (['plus', 'minus'] as const).find((each) => reader.acceptOperator(each));
  if (sign === undefined) return { type: 'now' };
  const { start } = reader.next;
  const token =
    reader.accept('word') ??
    reader.accept('string') ??
    reader.fail(`expected a duration such as p30d, found ${reader.describeNext()}`);
  const duration =
    parseDuration(token.text) ??
    reader.fail(`"${token.text}" is not a duration such as p30d or p1y`, start);
  return { type: 'now', offset: { sign, duration } };
}
