import { itemNotFound } from '../http/answers.js';
import type { Body } from '../store/objects.js';
import { instantOf } from './event-fields.js';
import { datesOf } from './recurrence.js';

/**
 * The property with a series' changes of single dates: other values, or null for a cancelled
 * occurrence. It is never returned.
 */
export const exceptionsProperty = 'exceptions';

type Exceptions = Readonly<Record<string, Body | null>>;

const dayMs = 86_400_000;

/** The id of an occurrence: the id of the series, and the date. */
export function occurrenceId(seriesId: string, date: string): string {
  return `${seriesId}.${date.replaceAll('-', '')}`;
}

/** Parses an occurrence's id into series and date; undefined for the id of an event. */
export function parseOccurrenceId(
  id: string,
): { readonly seriesId: string; readonly date: string } | undefined {
  const match = /^(.+)\.(\d{4})(\d\d)(\d\d)$/.exec(id);
  return match
    ? { seriesId: match[1] as string, date: `${match[2]}-${match[3]}-${match[4]}` }
    : undefined;
}

/** An event without its internal properties. */
export function presentEvent(event: Body): Body {
  const { [exceptionsProperty]: _exceptions, ...view } = event;
  return view;
}

/** The event, or the occurrences of a series, that overlap a period given in milliseconds. */
export function eventsWithin(event: Body, start: number, end: number): Body[] {
  const overlaps = (each: Body): boolean =>
    instantOf(each['start'], 'start') < end && instantOf(each['end'], 'end') > start;
  if (!event['recurrence']) return overlaps(event) ? [presentEvent(event)] : [];
  // A day more at either end, since dates are in the event's own time zone. An occurrence that began
  // earlier may still last.
  const durationMs = instantOf(event['end'], 'end') - instantOf(event['start'], 'start');
  const dates = datesOf(
    event['recurrence'],
    formatDate(start - durationMs - dayMs),
    formatDate(end + dayMs),
  );
  return [...new Set([...dates, ...changedDatesOf(event)])]
    .map((date) => occurrenceOn(event, date))
    .filter((each) => each !== undefined && overlaps(each)) as Body[];
}

/** The dates of a series whose occurrences were changed: they may have moved to any other time. */
function changedDatesOf(series: Body): readonly string[] {
  const exceptions = Object.entries((series[exceptionsProperty] ?? {}) as Exceptions);
  return exceptions
    .filter(([, change]) => change !== null)
    .map(([date]) => date)
    .filter((date) => datesOf(series['recurrence'], date, date).length > 0);
}

/** One occurrence of a series; undefined if it was cancelled. */
export function occurrenceOn(series: Body, date: string): Body | undefined {
  const exception = ((series[exceptionsProperty] ?? {}) as Exceptions)[date];
  if (exception === null) return undefined;
  const [start, end] = [series['start'], series['end']] as [ZonedTime, ZonedTime];
  const startDateTime = `${date}T${start.dateTime.split('T')[1] ?? '00:00:00'}`;
  const shiftMs =
    Date.parse(`${date}T00:00:00Z`) - Date.parse(`${start.dateTime.slice(0, 10)}T00:00:00Z`);
  return {
    ...presentEvent(series),
    id: occurrenceId(String(series['id']), date),
    type: exception === undefined ? 'occurrence' : 'exception',
    seriesMasterId: series['id'],
    recurrence: null,
    start: { ...start, dateTime: startDateTime },
    end: { ...end, dateTime: shiftDate(end.dateTime, shiftMs) },
    originalStart: new Date(instantOf({ ...start, dateTime: startDateTime }, 'start'))
      .toISOString()
      .replace(/\.\d+Z$/, 'Z'),
    ...exception,
  };
}

/** The occurrence of a series on a date. @throws DirectoryError 404 if there is none. */
export function requireOccurrence(series: Body, date: string): Body {
  const match =
    series['recurrence'] && datesOf(series['recurrence'], date, date).length > 0
      ? occurrenceOn(series, date)
      : undefined;
  if (!match) throw itemNotFound();
  return match;
}

/** A series with one date changed or cancelled (null). */
export function withException(series: Body, date: string, change: Body | null): Body {
  const exceptions = (series[exceptionsProperty] ?? {}) as Exceptions;
  const existing = exceptions[date];
  return {
    ...series,
    [exceptionsProperty]: { ...exceptions, [date]: change && { ...existing, ...change } },
  };
}

interface ZonedTime {
  /** Local time of the zone, unless it ends in `Z` or an offset. */
  readonly dateTime: string;
  /** `UTC` or an IANA name. @default UTC */
  readonly timeZone?: string;
}

/** Local date and time moved by whole days, in the same form. */
function shiftDate(dateTime: string, shiftMs: number): string {
  const [date = '', time = '00:00:00'] = dateTime.split('T');
  return `${formatDate(Date.parse(`${date}T00:00:00Z`) + shiftMs)}T${time}`;
}

function formatDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
