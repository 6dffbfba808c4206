import type { RuleDuration, RuleOperator, RulePropertyType, RuleValue } from '../ast.js';
import { parseInstant } from '../../../core/values/instant.js';
import { compileMatch } from '../pattern.js';
import { positiveByNegative } from '../properties.js';

/** Tests one value at an instant (milliseconds since 1970). */
export type TestValue = (value: unknown, now: number) => boolean;

/**
 * Compiles one comparison. Letter case is ignored. A missing value satisfies the negative operators
 * and `-eq null`, nothing else. Only a date property compares instants; a text that looks like a
 * date is a text.
 */
export function compileComparison(
  operator: RuleOperator,
  value: RuleValue,
  type: RulePropertyType = 'string',
): TestValue {
  switch (operator) {
    case 'eq':
      return equalityTest(value, type);
    case 'in':
      return listTest(value);
    case 'startsWith':
    case 'endsWith':
    case 'contains':
    case 'match':
      return textTest(operator, value);
    case 'le':
      return dateTest(value, (time, limit) => time <= limit);
    case 'ge':
      return dateTest(value, (time, limit) => time >= limit);
    default:
      return negated(compileComparison(positiveByNegative[operator], value, type));
  }
}

function negated(test: TestValue): TestValue {
  return (value, now) => !test(value, now);
}

function equalityTest(expected: RuleValue, type: RulePropertyType): TestValue {
  switch (expected.type) {
    case 'null':
      return (value) => value === null || value === undefined || value === '';
    case 'boolean':
      return (value) =>
        value === expected.value ||
        (typeof value === 'string' && value.toLowerCase() === String(expected.value));
    case 'now':
      return dateTest(expected, (time, limit) => time === limit);
    case 'list':
      return listTest(expected);
    default: {
      if (type === 'date') return dateTest(expected, (time, limit) => time === limit);
      const text = expected.value.toLowerCase();
      return (value) => lowerCaseText(value) === text;
    }
  }
}

function listTest(expected: RuleValue): TestValue {
  const values = new Set(
    expected.type === 'list' ? expected.values.map(({ value }) => String(value).toLowerCase()) : [],
  );
  return (value) => {
    const text = lowerCaseText(value);
    return text !== undefined && values.has(text);
  };
}

function textTest(
  operator: 'startsWith' | 'endsWith' | 'contains' | 'match',
  expected: RuleValue,
): TestValue {
  const constant = 'value' in expected ? String(expected.value) : '';
  if (operator === 'match') {
    const matches = compileMatch(constant);
    return (value) => typeof value === 'string' && matches(value);
  }
  const text = constant.toLowerCase();
  if (operator === 'startsWith') return (value) => lowerCaseText(value)?.startsWith(text) === true;
  if (operator === 'endsWith') return (value) => lowerCaseText(value)?.endsWith(text) === true;
  return (value) => lowerCaseText(value)?.includes(text) === true;
}

function dateTest(
  expected: RuleValue,
  compare: (time: number, limit: number) => boolean,
): TestValue {
  const fixedLimit = expected.type === 'string' ? parseInstant(expected.value) : Number.NaN;
  return (value, now) => {
    const time = typeof value === 'string' ? parseInstant(value) : Number.NaN;
    if (Number.isNaN(time)) return false;
    return compare(time, expected.type === 'now' ? instantOf(expected, now) : fixedLimit);
  };
}

/** The instant of `system.now` with an optional offset, in milliseconds since 1970. */
export function instantOf({ offset }: Extract<RuleValue, { type: 'now' }>, now: number): number {
  return offset
    ? addDuration(new Date(now), offset.duration, offset.sign === 'plus' ? 1 : -1)
    : now;
}

/** An instant plus or minus a duration; years and months by the UTC calendar. */
export function addDuration(date: Date, duration: RuleDuration, sign: 1 | -1): number {
  const day = date.getUTCDate();
  const shifted = new Date(date);
  shifted.setUTCDate(1);
  shifted.setUTCFullYear(
    date.getUTCFullYear() + sign * duration.years,
    date.getUTCMonth() + sign * duration.months,
  );
  // the 31st becomes the last day of a shorter month
  const lastDay = new Date(
    Date.UTC(shifted.getUTCFullYear(), shifted.getUTCMonth() + 1, 0),
  ).getUTCDate();
  shifted.setUTCDate(Math.min(day, lastDay));
  return shifted.getTime() + sign * (duration.days * 86_400 + duration.seconds) * 1000;
}

function lowerCaseText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.toLowerCase();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
