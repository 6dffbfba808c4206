import { itemNotFound } from '../http/answers.js';
import type { Body } from '../store/objects.js';
import { instantOf } from './event-fields.js';
import { datesOf } from './recurrence.js';

/**
 * Changes of single dates that a series stores: other values, or null for a cancelled occurrence.
 * Never returned.
 */
export const exceptionsProperty = 'exceptions';

type Exceptions = Readonly<Record<string, Body | null>>;

const day = 86_400_000;

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
  const touches = (each: Body): boolean =>
    instantOf(each['start'], 'start') < end && instantOf(each['end'], 'end') > start;
  if (!event['recurrence']) return touches(event) ? [presentEvent(event)] : [];
  // a day more at either end: dates are in the event's own time zone, and an occurrence may last
  // longer than a day
  const length = instantOf(event['end'], 'end') - instantOf(event['start'], 'start');
  const dates = datesOf(event['recurrence'], dateOf(start - length - day), dateOf(end + day));
  return dates
    .map((date) => occurrence(event, date))
    .filter((each) => each !== undefined && touches(each)) as Body[];
}

/** One occurrence of a series; undefined if it was cancelled. */
export function occurrence(series: Body, date: string): Body | undefined {
  const exception = ((series[exceptionsProperty] ?? {}) as Exceptions)[date];
  if (exception === null) return undefined;
  const [start, end] = [series['start'], series['end']] as [ZonedTime, ZonedTime];
  const starts = `${date}T${start.dateTime.split('T')[1] ?? '00:00:00'}`;
  const shift =
    Date.parse(`${date}T00:00:00Z`) - Date.parse(`${start.dateTime.slice(0, 10)}T00:00:00Z`);
  return {
    ...presentEvent(series),
    id: occurrenceId(String(series['id']), date),
    type: exception === undefined ? 'occurrence' : 'exception',
    seriesMasterId: series['id'],
    recurrence: null,
    start: { ...start, dateTime: starts },
    end: { ...end, dateTime: moveBy(end.dateTime, shift) },
    originalStart: new Date(instantOf({ ...start, dateTime: starts }, 'start'))
      .toISOString()
      .replace(/\.\d+Z$/, 'Z'),
    ...exception,
  };
}

/** The occurrence of an id. @throws DirectoryError 404 when the series has none on that date. */
export function requireOccurrence(series: Body, date: string): Body {
  const match =
    series['recurrence'] && datesOf(series['recurrence'], date, date).length > 0
      ? occurrence(series, date)
      : undefined;
  if (!match) throw itemNotFound();
  return match;
}

/** A series with one date changed or cancelled (null). */
export function withException(series: Body, date: string, change: Body | null): Body {
  const exceptions = (series[exceptionsProperty] ?? {}) as Exceptions;
  const present = exceptions[date];
  return {
    ...series,
    [exceptionsProperty]: { ...exceptions, [date]: change && { ...present, ...change } },
  };
}

interface ZonedTime {
  readonly dateTime: string;
  readonly timeZone?: string;
}

/** Local date and time moved by whole days, in the same form. */
function moveBy(dateTime: string, shift: number): string {
  const [date = '', time = '00:00:00'] = dateTime.split('T');
  return `${dateOf(Date.parse(`${date}T00:00:00Z`) + shift)}T${time}`;
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
