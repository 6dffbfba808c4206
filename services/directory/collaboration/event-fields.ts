import { badRequest, invalidProperty } from '../http/answers.js';
import { propertyTypes } from '../kernel/body-properties.js';
import type { Property } from '../kernel/object-type.js';
import type { Body } from '../store/objects.js';
import { checkRecurrence } from './recurrence.js';

/** The allowed values of the fields with a fixed set. */
const allowedValues: Readonly<Record<string, readonly string[]>> = {
  importance: ['low', 'normal', 'high'],
  sensitivity: ['normal', 'personal', 'private', 'confidential'],
  showAs: ['unknown', 'free', 'tentative', 'busy', 'oof', 'workingElsewhere'],
};

/** The default values of an event. */
export const eventDefaults: Body = {
  subject: null,
  body: { contentType: 'text', content: '' },
  location: { displayName: '' },
  attendees: [],
  isAllDay: false,
  isCancelled: false,
  isDraft: false,
  isOrganizer: true,
  importance: 'normal',
  sensitivity: 'normal',
  showAs: 'busy',
  recurrence: null,
  reminderMinutesBeforeStart: 15,
  isReminderOn: true,
  responseRequested: true,
  responseStatus: { response: 'organizer', time: '0001-01-01T00:00:00Z' },
  onlineMeeting: null,
  onlineMeetingUrl: null,
  onlineMeetingProvider: 'unknown',
  isOnlineMeeting: false,
  transactionId: null,
  hideAttendees: false,
  allowNewTimeProposals: true,
  originalStart: null,
  seriesMasterId: null,
  categories: [],
};

/** The fields that a body may contain, by type; each may be null, unless it is required. */
const fieldTypes: Readonly<Record<string, Property['type']>> = {
  subject: 'string',
  body: 'object',
  start: 'object',
  end: 'object',
  type: 'string',
  location: 'object',
  locations: 'objects',
  attendees: 'objects',
  isAllDay: 'boolean',
  isCancelled: 'boolean',
  isDraft: 'boolean',
  isOrganizer: 'boolean',
  importance: 'string',
  sensitivity: 'string',
  showAs: 'string',
  recurrence: 'object',
  reminderMinutesBeforeStart: 'integer',
  isReminderOn: 'boolean',
  responseRequested: 'boolean',
  responseStatus: 'object',
  onlineMeeting: 'object',
  onlineMeetingUrl: 'string',
  onlineMeetingProvider: 'string',
  isOnlineMeeting: 'boolean',
  transactionId: 'string',
  hideAttendees: 'boolean',
  allowNewTimeProposals: 'boolean',
  originalStart: 'string',
  seriesMasterId: 'string',
  categories: 'strings',
};
const readOnlyNames = [
  'id',
  'createdDateTime',
  'lastModifiedDateTime',
  'changeKey',
  'iCalUId',
  'organizer',
  'webLink',
  'bodyPreview',
];

/** Checks the fields of an event. @throws DirectoryError 400. */
export function checkEvent(event: Body): void {
  for (const name of Object.keys(event)) {
    if (readOnlyNames.includes(name))
      throw badRequest(`Property '${name}' is read-only and cannot be set.`, name);
    const type = Object.hasOwn(fieldTypes, name) ? fieldTypes[name] : undefined;
    if (type === undefined)
      throw badRequest(`The property '${name}' does not exist on an event.`, name);
    const { matches, expectation } = propertyTypes[type];
    if (event[name] !== null && !matches(event[name]))
      throw invalidProperty(name, `${expectation} is expected`);
    const allowed = allowedValues[name];
    if (allowed && !allowed.includes(String(event[name])))
      throw badRequest(`'${name}' must be one of ${allowed.join(', ')}.`, name);
  }
  checkRecurrence(event['recurrence']);
  const [start, end] = (['start', 'end'] as const).map((name) =>
    event[name] === undefined ? undefined : instantOf(event[name], name),
  );
  if (start !== undefined && end !== undefined && end < start)
    throw badRequest('The event ends before it starts.', 'end');
}

/**
 * The instant of `{dateTime, timeZone}` in milliseconds. Zones other than UTC must be IANA names.
 * @throws DirectoryError 400.
 */
export function instantOf(value: unknown, name: string): number {
  const { dateTime, timeZone } = (value ?? {}) as { dateTime?: unknown; timeZone?: unknown };
  if (typeof dateTime !== 'string')
    throw badRequest(`'${name}' needs dateTime and timeZone.`, name);
  if (!/^\d{4}-\d\d-\d\d(T|$)/.test(dateTime))
    throw badRequest(`'${dateTime.slice(0, 40)}' is not a date and time.`, name);
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(dateTime);
  const instant = Date.parse(hasZone ? dateTime : `${dateTime}Z`);
  if (Number.isNaN(instant)) throw badRequest(`'${dateTime}' is not a date and time.`, name);
  return hasZone ? instant : instant - zoneOffsetMs(String(timeZone ?? 'UTC'), instant, name);
}

/**
 * The formats of time zones, cached: creating one takes longer than the rest of a calendar view.
 */
const dateTimeFormats = new Map<string, Intl.DateTimeFormat>();
const maxCachedFormats = 500;

/**
 * The offset of a time zone from UTC in milliseconds.
 *
 * @param instant the local time as if it were UTC: within hours of a change of the clocks, the
 *   offset may be that of the other side.
 */
function zoneOffsetMs(zone: string, instant: number, name: string): number {
  if (/^(utc|gmt|z)$/i.test(zone)) return 0;
  const parts = dateTimeFormatOf(zone, name).formatToParts(instant);
  const part = (type: string): number =>
    Number(parts.find((each) => each.type === type)?.value ?? 0);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(instant / 1000) * 1000;
}

function dateTimeFormatOf(zone: string, name: string): Intl.DateTimeFormat {
  const cached = dateTimeFormats.get(zone);
  if (cached) return cached;
  const numeric = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...numeric,
    });
    if (dateTimeFormats.size >= maxCachedFormats) dateTimeFormats.clear();
    dateTimeFormats.set(zone, format);
    return format;
  } catch {
    throw badRequest(
      `'${zone}' is not a time zone this service knows: use UTC or an IANA name.`,
      name,
    );
  }
}
