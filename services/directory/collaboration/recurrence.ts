import { badRequest } from '../http/answers.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Body } from '../store/objects.js';

const patternTypes = [
  'daily',
  'weekly',
  'absoluteMonthly',
  'relativeMonthly',
  'absoluteYearly',
  'relativeYearly',
] as const;
const weekdayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const weekIndexes = ['first', 'second', 'third', 'fourth', 'last'];
const dayMs = 86_400_000;
/** The years after its start in which a series without an end has occurrences. */
const maxYears = 100;
/** The most dates that {@link datesOf} returns. */
const maxOccurrences = 2_000;

/**
 * A recurrence (`{pattern, range}`) after its checks. Dates are in milliseconds, at midnight in
 * UTC.
 */
interface Recurrence {
  readonly type: (typeof patternTypes)[number];
  /** In days, weeks, months or years, by the type: 2 means every other one. */
  readonly interval: number;
  /** 0 is Sunday. */
  readonly daysOfWeek: readonly number[];
  /** The day with which weeks begin when an interval counts them; 0 is Sunday. */
  readonly firstDayOfWeek: number;
  /** From 1; in a shorter month, its last day. */
  readonly dayOfMonth: number;
  /** 1 is January. */
  readonly month: number;
  /** Which of the matching days of a month: 0 is the first, 4 the last. */
  readonly index: number;
  /** The first possible day of an occurrence. */
  readonly start: number;
  /** The last possible day of an occurrence. */
  readonly end: number;
  /** The most occurrences; infinite unless the range is `numbered`. */
  readonly count: number;
}

/** Checks a `recurrence` (`{pattern, range}`). @throws DirectoryError 400. */
export function checkRecurrence(value: unknown): void {
  if (value !== null && value !== undefined) parseRecurrence(value);
}

/** The dates (`2026-12-24`) of a series, from one day to another, both included. */
export function datesOf(value: unknown, from: string, to: string): string[] {
  const recurrence = parseRecurrence(value);
  const [first, last] = [
    Date.parse(`${from}T00:00:00Z`),
    Math.min(Date.parse(`${to}T00:00:00Z`), recurrence.end),
  ];
  const dates: string[] = [];
  let occurrences = 0;
  // Only a series with a number of occurrences must be counted from its start.
  const isCounted = recurrence.count !== Number.POSITIVE_INFINITY;
  for (
    let day = isCounted ? recurrence.start : Math.max(recurrence.start, first);
    day <= last && occurrences < recurrence.count;
    day += dayMs
  ) {
    if (!happensOn(recurrence, day)) continue;
    occurrences += 1;
    if (day >= first) dates.push(formatDate(day));
    if (dates.length >= maxOccurrences) break;
  }
  return dates;
}

function happensOn(recurrence: Recurrence, day: number): boolean {
  const { type, interval, daysOfWeek, dayOfMonth, month } = recurrence;
  const [date, start] = [new Date(day), new Date(recurrence.start)];
  const monthsSinceStart =
    (date.getUTCFullYear() - start.getUTCFullYear()) * 12 +
    date.getUTCMonth() -
    start.getUTCMonth();
  switch (type) {
    case 'daily':
      return Math.round((day - recurrence.start) / dayMs) % interval === 0;
    case 'weekly':
      return (
        daysOfWeek.includes(date.getUTCDay()) && weeksBetween(recurrence, day) % interval === 0
      );
    case 'absoluteMonthly':
      return (
        monthsSinceStart % interval === 0 &&
        date.getUTCDate() === Math.min(dayOfMonth, daysInMonth(date))
      );
    case 'relativeMonthly':
      return monthsSinceStart % interval === 0 && isRelativeDay(recurrence, date);
    case 'absoluteYearly':
      return (
        isYearOfSeries(date, start, interval) &&
        date.getUTCMonth() + 1 === month &&
        date.getUTCDate() === Math.min(dayOfMonth, daysInMonth(date))
      );
    case 'relativeYearly':
      return (
        isYearOfSeries(date, start, interval) &&
        date.getUTCMonth() + 1 === month &&
        isRelativeDay(recurrence, date)
      );
  }
}

function isYearOfSeries(date: Date, start: Date, interval: number): boolean {
  return (date.getUTCFullYear() - start.getUTCFullYear()) % interval === 0;
}

function weeksBetween({ start, firstDayOfWeek }: Recurrence, day: number): number {
  const weekOf = (instant: number): number =>
    instant - ((new Date(instant).getUTCDay() - firstDayOfWeek + 7) % 7) * dayMs;
  return Math.round((weekOf(day) - weekOf(start)) / (7 * dayMs));
}

/**
 * Whether a date is, for example, the second Monday or the last weekday of its month: the n-th of
 * the given days.
 */
function isRelativeDay({ daysOfWeek, index }: Recurrence, date: Date): boolean {
  if (!daysOfWeek.includes(date.getUTCDay())) return false;
  const matching = Array.from({ length: daysInMonth(date) }, (_, dayIndex) => dayIndex + 1).filter(
    (day) =>
      daysOfWeek.includes(
        new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay(),
      ),
  );
  return (
    date.getUTCDate() ===
    (index === weekIndexes.indexOf('last') ? matching.at(-1) : matching[index])
  );
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function parseRecurrence(value: unknown): Recurrence {
  const { pattern, range } = (isObject(value) ? value : {}) as {
    pattern?: unknown;
    range?: unknown;
  };
  if (!isObject(pattern) || !isObject(range))
    throw badRequest('A recurrence needs a pattern and a range.', 'recurrence');
  const type = parseChoice(pattern, 'type', patternTypes);
  const weekdays = parseWeekdays(pattern);
  if ((type === 'weekly' || type.startsWith('relative')) && weekdays.length === 0)
    throw badRequest(`A ${type} recurrence needs daysOfWeek.`, 'recurrence');
  const start = parseDate(range, 'startDate');
  return {
    type,
    interval: parseInteger(pattern, 'interval', 1, 999, 1),
    daysOfWeek: weekdays,
    firstDayOfWeek: weekdayNames.indexOf(
      (pattern['firstDayOfWeek'] ?? null) === null
        ? 'sunday'
        : parseChoice(pattern, 'firstDayOfWeek', weekdayNames),
    ),
    dayOfMonth: parseInteger(
      pattern,
      'dayOfMonth',
      1,
      31,
      type.startsWith('absolute') ? undefined : 1,
    ),
    month: parseInteger(pattern, 'month', 1, 12, type.endsWith('Yearly') ? undefined : 1),
    index: weekIndexes.indexOf(
      type.startsWith('relative') && pattern['index'] !== undefined
        ? parseChoice(pattern, 'index', weekIndexes)
        : 'first',
    ),
    start,
    ...parseRangeEnd(range, start),
  };
}

function parseRangeEnd(
  range: Body,
  start: number,
): { readonly end: number; readonly count: number } {
  const latestEnd = start + maxYears * 366 * dayMs;
  switch (parseChoice(range, 'type', ['endDate', 'noEnd', 'numbered'])) {
    case 'numbered':
      return {
        end: latestEnd,
        count: parseInteger(range, 'numberOfOccurrences', 1, 999, undefined),
      };
    case 'endDate': {
      const end = parseDate(range, 'endDate');
      if (end < start) throw badRequest('The recurrence ends before it starts.', 'recurrence');
      return { end: Math.min(end, latestEnd), count: Number.POSITIVE_INFINITY };
    }
    default:
      return { end: latestEnd, count: Number.POSITIVE_INFINITY };
  }
}

function parseChoice<T extends string>(values: Body, name: string, allowed: readonly T[]): T {
  const word = allowed.find((each) => each.toLowerCase() === String(values[name]).toLowerCase());
  if (word === undefined)
    throw badRequest(
      `'${name}' of a recurrence must be one of ${allowed.join(', ')}.`,
      'recurrence',
    );
  return word;
}

function parseWeekdays(pattern: Body): number[] {
  const weekdays = pattern['daysOfWeek'] ?? [];
  const numbers = Array.isArray(weekdays)
    ? weekdays.map((each) => weekdayNames.indexOf(String(each).toLowerCase()))
    : [-1];
  if (numbers.includes(-1))
    throw badRequest(`daysOfWeek must be a list of ${weekdayNames.join(', ')}.`, 'recurrence');
  return numbers;
}

/** @param defaultValue the value if it is missing or zero; undefined: it is required. */
function parseInteger(
  values: Body,
  name: string,
  minimum: number,
  maximum: number,
  defaultValue: number | undefined,
): number {
  const value = values[name];
  if ((value === undefined || value === null || value === 0) && defaultValue !== undefined)
    return defaultValue;
  if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum)
    return Number(value);
  throw badRequest(
    `'${name}' of a recurrence must be an integer from ${minimum} to ${maximum}.`,
    'recurrence',
  );
}

function parseDate(range: Body, name: string): number {
  const text = range[name];
  const instant =
    typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text)
      ? Date.parse(`${text}T00:00:00Z`)
      : Number.NaN;
  if (Number.isNaN(instant))
    throw badRequest(`'${name}' of a recurrence must be a date such as 2026-12-24.`, 'recurrence');
  return instant;
}

function formatDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
