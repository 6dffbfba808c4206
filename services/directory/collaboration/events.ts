import { badRequest, itemNotFound } from '../http/errors.js';
import { created, noContent, ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { ownProperties } from '../kernel/references.js';
import type { Body, StoredObject } from '../store/objects.js';
import { areaEntity, changeKey, findUnified, mailboxId, previewOf, serveList, serveOne, writeArea } from './area.js';
import { checkEvent, eventDefaults, instantOf } from './event-fields.js';
import { parseOccurrenceId, requireOccurrence, presentEvent, withException } from './event-series.js';

const events = 'event';

/** List, create, get, change and delete events; an occurrence of a series is addressed like an event of its own. */
export function eventRoutes(router: Router, paths: readonly string[]): void {
  const single = paths.map((path) => `${path}/{event}`);
  serveList(router, paths, 'events', async (request, group) => (await storedEvents(request, group)).map(presentEvent));
  serveOne(router, single, 'events', async (request, group) => presentEvent(await findEvent(request, group)));
  for (const path of paths) router.on('POST', path, writeArea, createEvent);
  for (const path of single) {
    router.on('PATCH', path, writeArea, updateEvent);
    router.on('DELETE', path, writeArea, deleteEvent);
  }
}

/** The events of a group, series as one each, in the order of their start. */
export async function storedEvents(request: DirectoryRequest, group: StoredObject): Promise<Body[]> {
  return (await request.directory.items.list(events, group.id)).map((item) => ({ id: item.id, ...item.body }));
}

/** The event or the occurrence of the path. @throws DirectoryError 404. */
export async function findEvent(request: DirectoryRequest, group: StoredObject, id = request.parameter('event')): Promise<Body> {
  const item = await request.directory.items.get(events, group.id, id);
  if (item) return { id, ...item.body };
  const occurrence = parseOccurrenceId(id);
  if (!occurrence) throw itemNotFound();
  return requireOccurrence(await findEvent(request, group, occurrence.seriesId), occurrence.date);
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
  };
  const complete = completed(event);
  await request.directory.items.put(events, group.id, id, complete, startOf(event));
  return created(areaEntity(request, group, 'events', { id, ...complete }), event.webLink);
}

/** Changes an event or a whole series; an occurrence becomes an exception of its series. */
async function updateEvent(request: DirectoryRequest): Promise<Reply> {
  const given = ownProperties(request.json());
  checkEvent(given);
  const { items, sql, clock } = request.directory;
  return sql.write(async () => {
    const group = await findUnified(request);
    const present = await findEvent(request, group);
    const change = { ...given, lastModifiedDateTime: clock.now().toISOString(), changeKey: changeKey() };
    const next = { ...present, ...change };
    checkEvent({ start: (next as Body)['start'], end: (next as Body)['end'] });
    const { seriesMasterId } = next as Body;
    const date = parseOccurrenceId(String(present['id']))?.date;
    if (typeof seriesMasterId === 'string' && date !== undefined) {
      if (given['recurrence']) throw badRequest('An occurrence of a series cannot repeat by itself.', 'recurrence');
      await saveSeries(request, group, seriesMasterId, date, change);
      return ok(areaEntity(request, group, 'events', await findEvent(request, group)));
    }
    const { id, ...body } = completed(next) as Body & { id: string };
    await items.put(events, group.id, id, body, startOf(body));
    return ok(areaEntity(request, group, 'events', { id, ...presentEvent(body) }));
  });
}

async function deleteEvent(request: DirectoryRequest): Promise<Reply> {
  await request.directory.sql.write(async () => {
    const group = await findUnified(request);
    const event = await findEvent(request, group);
    const occurrence = parseOccurrenceId(String(event['id']));
    if (occurrence && typeof event['seriesMasterId'] === 'string')
      await saveSeries(request, group, occurrence.seriesId, occurrence.date, null);
    else await request.directory.items.remove(events, group.id, String(event['id']));
  });
  return noContent;
}

async function saveSeries(request: DirectoryRequest, group: StoredObject, id: string, date: string, change: Body | null): Promise<void> {
  const { id: _id, ...series } = await findEvent(request, group, id);
  await request.directory.items.replace(events, group.id, id, withException(series, date, change));
}

/** An event with what follows from the rest. */
function completed(event: Body): Body {
  return { ...event, type: event['recurrence'] ? 'seriesMaster' : 'singleInstance', bodyPreview: previewOf(event) };
}

function startOf(event: Body): string {
  return new Date(instantOf(event['start'], 'start')).toISOString();
}

function zoneOf(value: unknown): string {
  return String((value as { timeZone?: unknown } | undefined)?.timeZone ?? 'UTC');
}
