import { badRequest, itemNotFound } from '../http/errors.js';
import type { Reply } from '../http/reply.js';
import { created, noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { ownProperties } from '../kernel/references.js';
import type { Body, StoredObject } from '../store/objects.js';
import { areaContext, changeKey, findUnified, listArea, mailboxId, readArea, showItem, writeArea } from './area.js';
import { checkEvent, eventDefaults, instantOf } from './event-fields.js';

const calendars = 'calendar';
const events = 'event';
const viewPage = 10;

/** The calendar of a unified group, its events and its view of a window of time. */
export function calendarRoutes(router: Router): void {
  router.on('GET', '/groups/{id}/calendar', readArea, async (request) => {
    const group = await findUnified(request);
    return showItem(request, areaContext(request, group, 'calendar').replace(/\/calendar$/, '/calendar'), await calendarOf(request, group));
  });
  router.on('PATCH', '/groups/{id}/calendar', writeArea, updateCalendar);
  for (const path of ['/groups/{id}/events', '/groups/{id}/calendar/events']) {
    router.on('GET', path, readArea, async (request) => {
      const group = await findUnified(request);
      return listArea(request, areaContext(request, group, 'events'), await eventsOf(request, group));
    });
    router.on('POST', path, writeArea, createEvent);
    router.on('GET', `${path}/{event}`, readArea, getEvent);
    router.on('PATCH', `${path}/{event}`, writeArea, updateEvent);
    router.on('DELETE', `${path}/{event}`, writeArea, deleteEvent);
  }
  for (const path of ['/groups/{id}/calendarView', '/groups/{id}/calendar/calendarView']) router.on('GET', path, readArea, calendarView);
}

async function calendarOf(request: DirectoryRequest, group: StoredObject): Promise<Body> {
  const stored = await request.directory.items.get(calendars, group.id, 'default');
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
  const body = ownProperties(request.json());
  const wrong = Object.keys(body).find((name) => !['name', 'color', 'isDefaultCalendar'].includes(name));
  if (wrong !== undefined) throw badRequest(`Property '${wrong}' of a group's calendar is read-only.`, wrong);
  const group = await findUnified(request);
  const { items, sql } = request.directory;
  await sql.write(async () => {
    const present = await items.get(calendars, group.id, 'default');
    await items.put(calendars, group.id, 'default', { ...present?.body, ...body, changeKey: changeKey() });
  });
  return ok({ '@odata.context': `${areaContext(request, group, 'calendar')}/$entity`, ...(await calendarOf(request, group)) });
}

async function eventsOf(request: DirectoryRequest, group: StoredObject): Promise<Body[]> {
  return (await request.directory.items.list(events, group.id)).map((item) => ({ id: item.id, ...item.body }));
}

async function createEvent(request: DirectoryRequest): Promise<Reply> {
  const given = ownProperties(request.json());
  checkEvent(given);
  for (const name of ['start', 'end']) if (given[name] === undefined) throw badRequest(`Required property '${name}' is missing.`, name);
  const group = await findUnified(request);
  const id = mailboxId();
  const now = request.directory.clock.now().toISOString();
  const event = {
    createdDateTime: now,
    lastModifiedDateTime: now,
    changeKey: changeKey(),
    iCalUId: Buffer.from(id).toString('hex').toUpperCase(),
    webLink: `${request.base}/groups/${group.id}/events/${id}`,
    organizer: { emailAddress: { name: group.body['displayName'], address: group.body['mail'] ?? null } },
    originalStartTimeZone: zoneOf(given['start']),
    originalEndTimeZone: zoneOf(given['end']),
    ...eventDefaults,
    ...given,
    type: given['recurrence'] ? 'seriesMaster' : 'singleInstance',
  };
  await request.directory.items.put(events, group.id, id, { ...event, bodyPreview: previewOf(event) }, startOf(event));
  return created(
    { '@odata.context': `${areaContext(request, group, 'events')}/$entity`, id, ...event, bodyPreview: previewOf(event) },
    event.webLink,
  );
}

async function find(request: DirectoryRequest, group: StoredObject): Promise<Body> {
  const id = request.parameter('event');
  const item = await request.directory.items.get(events, group.id, id);
  if (!item) throw itemNotFound();
  return { id, ...item.body };
}

async function getEvent(request: DirectoryRequest): Promise<Reply> {
  const group = await findUnified(request);
  return showItem(request, areaContext(request, group, 'events'), await find(request, group));
}

async function updateEvent(request: DirectoryRequest): Promise<Reply> {
  const given = ownProperties(request.json());
  checkEvent(given);
  const { items, sql, clock } = request.directory;
  return sql.write(async () => {
    const group = await findUnified(request);
    const { id, ...present } = await find(request, group);
    const event: Body = { ...present, ...given, lastModifiedDateTime: clock.now().toISOString(), changeKey: changeKey() };
    checkEvent({ start: event['start'], end: event['end'] });
    const next = { ...event, bodyPreview: previewOf(event) };
    await items.put(events, group.id, String(id), next, startOf(next));
    return ok({ '@odata.context': `${areaContext(request, group, 'events')}/$entity`, id, ...next });
  });
}

async function deleteEvent(request: DirectoryRequest): Promise<Reply> {
  const group = await findUnified(request);
  if (!(await request.directory.items.remove(events, group.id, request.parameter('event')))) throw itemNotFound();
  return noContent;
}

/** Events that touch a window of time. */
async function calendarView(request: DirectoryRequest): Promise<Reply> {
  const [start, end] = (['startDateTime', 'endDateTime'] as const).map((name) => {
    const text = request.query.get(name) ?? '';
    const instant = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text.replace(' ', '+') : `${text}Z`);
    if (Number.isNaN(instant)) throw badRequest(`The query parameter '${name}' must be a date and time in ISO 8601.`, name);
    return instant;
  }) as [number, number];
  if (end < start) throw badRequest('endDateTime lies before startDateTime.', 'endDateTime');
  const group = await findUnified(request);
  const inside = (await eventsOf(request, group)).filter(
    (event) => instantOf(event['start'], 'start') < end && instantOf(event['end'], 'end') > start,
  );
  return listArea(request, areaContext(request, group, 'calendarView'), inside, viewPage);
}

function startOf(event: Body): string {
  return new Date(instantOf(event['start'], 'start')).toISOString();
}

function zoneOf(value: unknown): string {
  return String((value as { timeZone?: unknown } | undefined)?.timeZone ?? 'UTC');
}

function previewOf(event: Body): string {
  const content = String((event['body'] as { content?: unknown } | null)?.content ?? '');
  return content
    .replace(/<[^>]{0,1000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 255);
}
