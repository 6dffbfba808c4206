import { badRequest, invalidProperty, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { plainProperties } from '../kernel/references.js';
import { requireKnownProperties } from '../kernel/body-properties.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  resourceBody,
  newChangeKey,
  findWritableUnifiedGroup,
  addResourceListRoutes,
  addResourceRoutes,
  resourceWriteAccess,
} from './group-resources.js';
import { instantOf } from './event-fields.js';
import { eventsWithin } from './event-series.js';
import { addEventRoutes, findEvent, storedEvents } from './events.js';

const calendarCollection = 'calendar';
const defaultPageSize = 10;
/** The instants between which a calendar view may start and end. */
const [earliest, latest] = [
  Date.parse('0002-01-01T00:00:00Z'),
  Date.parse('9998-12-31T00:00:00Z'),
] as const;

/** Adds the operations of a unified group's calendar: its events, and its view of a period. */
export function addCalendarRoutes(router: Router): void {
  addResourceRoutes(router, ['/groups/{id}/calendar'], 'calendar', calendarOf);
  router.on('PATCH', '/groups/{id}/calendar', resourceWriteAccess, updateCalendar);
  const events = ['/groups/{id}/events', '/groups/{id}/calendar/events'];
  addEventRoutes(router, events);
  const instances = events.map((path) => `${path}/{event}/instances`);
  addResourceListRoutes(router, instances, 'events', instancesOf, { pageSize: defaultPageSize });
  addResourceListRoutes(
    router,
    ['/groups/{id}/calendarView', '/groups/{id}/calendar/calendarView'],
    'calendarView',
    eventsInView,
    { pageSize: defaultPageSize },
  );
}

async function calendarOf(request: DirectoryRequest, group: StoredObject): Promise<Body> {
  const stored = await request.directory.records.get(calendarCollection, group.id, 'default');
  return {
    id: `AAMk${Buffer.from(group.id).toString('base64url')}`,
    name: 'Calendar',
    color: 'auto',
    hexColor: '',
    isDefaultCalendar: true,
    changeKey: Buffer.from(group.id.slice(0, 18)).toString('base64'),
    canShare: false,
    canViewPrivateItems: true,
    canEdit: true,
    isRemovable: false,
    isTallyingResponses: false,
    allowedOnlineMeetingProviders: [],
    defaultOnlineMeetingProvider: 'unknown',
    owner: { name: group.body['displayName'], address: group.body['mail'] ?? null },
    ...stored?.body,
  };
}

async function updateCalendar(request: DirectoryRequest): Promise<Reply> {
  const body = plainProperties(request.json());
  checkCalendar(body);
  const group = await findWritableUnifiedGroup(request);
  const { records, sql } = request.directory;
  await sql.transaction(async () => {
    const stored = await records.get(calendarCollection, group.id, 'default');
    await records.put(calendarCollection, group.id, 'default', {
      ...stored?.body,
      ...body,
      changeKey: newChangeKey(),
    });
  });
  return ok(resourceBody(request, group, 'calendar', await calendarOf(request, group)));
}

const colors: readonly unknown[] = [
  'auto',
  'lightBlue',
  'lightGreen',
  'lightOrange',
  'lightGray',
  'lightYellow',
  'lightTeal',
  'lightPink',
  'lightBrown',
  'lightRed',
  'maxColor',
];

/** Checks a change of a calendar. @throws DirectoryError 400. */
function checkCalendar(values: Body): void {
  requireKnownProperties(values, ['name', 'color', 'isDefaultCalendar'], "a group's calendar");
  const { name = '', color = 'auto', isDefaultCalendar = true } = values;
  if (typeof name !== 'string') throw invalidProperty('name', 'a string is expected');
  if (!colors.includes(color)) throw invalidProperty('color', `allowed are ${colors.join(', ')}`);
  if (typeof isDefaultCalendar !== 'boolean')
    throw invalidProperty('isDefaultCalendar', 'true or false is expected');
}

/** The events and occurrences in a period, in order. */
async function eventsInView(request: DirectoryRequest, group: StoredObject): Promise<Body[]> {
  const { start, end } = requestedPeriod(request);
  return sortByStart(
    (await storedEvents(request, group)).flatMap((event) => eventsWithin(event, start, end)),
  );
}

/** The occurrences of one series in a period. */
async function instancesOf(request: DirectoryRequest, group: StoredObject): Promise<Body[]> {
  const { start, end } = requestedPeriod(request);
  const event = await findEvent(request, group, request.parameter('event'));
  if (!event['recurrence']) throw badRequest('Only a series has instances.', 'recurrence');
  return sortByStart(eventsWithin(event, start, end));
}

function sortByStart(events: readonly Body[]): Body[] {
  const entries = events.map((event) => ({ event, start: instantOf(event['start'], 'start') }));
  return entries.sort((a, b) => a.start - b.start).map(({ event }) => event);
}

function requestedPeriod(request: DirectoryRequest): {
  readonly start: number;
  readonly end: number;
} {
  const [start, end] = (['startDateTime', 'endDateTime'] as const).map((name) => {
    // a plus sign that the client did not encode arrives as a space
    const text = (request.query.get(name) ?? '').replace(' ', '+');
    const dateTime = /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
    const instant = /^\d{4}-\d\d-\d\d(T|Z|$)/.test(dateTime) ? Date.parse(dateTime) : Number.NaN;
    if (!(instant > earliest && instant < latest))
      throw badRequest(`The query parameter '${name}' must be a date and time in ISO 8601.`, name);
    return instant;
  }) as [number, number];
  if (end < start) throw badRequest('endDateTime must not be before startDateTime.', 'endDateTime');
  return { start, end };
}
