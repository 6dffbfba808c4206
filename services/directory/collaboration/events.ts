import { badRequest, itemNotFound } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { addRecordOperations, presentRecord } from '../kernel/record-operations.js';
import type { StoredRecord } from '../store/records.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  groupRecordOptions,
  newChangeKey,
  newMailboxId,
  previewOf,
  requireContentWriter,
} from './group-resources.js';
import { checkEvent, eventDefaults, instantOf } from './event-fields.js';
import {
  parseOccurrenceId,
  requireOccurrence,
  presentEvent,
  withException,
} from './event-series.js';

const eventCollection = 'event';

/**
 * Adds list, create, read, change and delete of events. Occurrences of a series have ids like
 * events.
 */
export function addEventRoutes(router: Router, paths: readonly string[]): void {
  addRecordOperations<StoredObject>(router, {
    ...groupRecordOptions,
    path: paths,
    collection: eventCollection,
    beforeWrite: requireContentWriter,
    find: async (request, id, group) => toRecord(await findEvent(request, group, id)),
    present: (record) => presentEvent(presentRecord(record)),
    create: createEvent,
    change: changeEvent,
    onRemove: async (request, { id, body }, group) => {
      const occurrence = parseOccurrenceId(id);
      if (occurrence && typeof body['seriesMasterId'] === 'string')
        await saveException(request, group, occurrence.seriesId, occurrence.date, null);
    },
  });
}

/** The events of a group by start, with each series as one event. */
export async function storedEvents(
  request: DirectoryRequest,
  group: StoredObject,
): Promise<Body[]> {
  return (await request.directory.records.list(eventCollection, group.id)).map(presentRecord);
}

/** The event or occurrence of an id. @throws DirectoryError 404. */
export async function findEvent(
  request: DirectoryRequest,
  group: StoredObject,
  id: string,
): Promise<Body> {
  const record = await request.directory.records.get(eventCollection, group.id, id);
  if (record) return presentRecord(record);
  const occurrence = parseOccurrenceId(id);
  if (!occurrence) throw itemNotFound();
  return requireOccurrence(await findEvent(request, group, occurrence.seriesId), occurrence.date);
}

function toRecord({ id, ...body }: Body): StoredRecord {
  return { id: String(id), body };
}

async function createEvent(
  request: DirectoryRequest,
  values: Body,
  group: StoredObject,
): Promise<StoredRecord> {
  checkEvent(values);
  for (const name of ['start', 'end'])
    if (values[name] === undefined)
      throw badRequest(`Required property '${name}' is missing.`, name);
  const id = newMailboxId();
  const now = request.directory.clock.now().toISOString();
  const event = withDerivedProperties({
    createdDateTime: now,
    lastModifiedDateTime: now,
    changeKey: newChangeKey(),
    iCalUId: Buffer.from(id).toString('hex').toUpperCase(),
    webLink: `${request.base}/groups/${group.id}/events/${id}`,
    organizer: {
      emailAddress: { name: group.body['displayName'], address: group.body['mail'] ?? null },
    },
    originalStartTimeZone: timeZoneOf(values['start']),
    originalEndTimeZone: timeZoneOf(values['end']),
    ...eventDefaults,
    ...values,
  });
  return request.directory.records.put(eventCollection, group.id, id, event, startOf(event));
}

/** Changes an event or a whole series; a changed occurrence becomes an exception of its series. */
async function changeEvent(
  request: DirectoryRequest,
  { id, body }: StoredRecord,
  input: Body,
  group: StoredObject,
): Promise<StoredRecord> {
  checkEvent(input);
  const { records, clock } = request.directory;
  const change = {
    ...input,
    lastModifiedDateTime: clock.now().toISOString(),
    changeKey: newChangeKey(),
  };
  const next = withDerivedProperties({ ...body, ...change });
  const { start, end, seriesMasterId } = next;
  checkEvent({ start, end });
  const date = parseOccurrenceId(id)?.date;
  if (typeof seriesMasterId !== 'string' || date === undefined)
    return records.put(eventCollection, group.id, id, next, startOf(next));
  if (input['recurrence'])
    throw badRequest('An occurrence of a series cannot repeat by itself.', 'recurrence');
  await saveException(request, group, seriesMasterId, date, change);
  return toRecord(await findEvent(request, group, id));
}

/** Changes one date of a series, or cancels it (null). */
async function saveException(
  request: DirectoryRequest,
  group: StoredObject,
  id: string,
  date: string,
  change: Body | null,
): Promise<void> {
  const { id: _id, ...series } = await findEvent(request, group, id);
  await request.directory.records.replace(
    eventCollection,
    group.id,
    id,
    withException(series, date, change),
  );
}

/** An event with its derived properties. */
function withDerivedProperties(event: Body): Body {
  return {
    ...event,
    type: event['recurrence'] ? 'seriesMaster' : 'singleInstance',
    bodyPreview: previewOf(event),
  };
}

function startOf(event: Body): string {
  return new Date(instantOf(event['start'], 'start')).toISOString();
}

function timeZoneOf(value: unknown): string {
  return String((value as { timeZone?: unknown } | undefined)?.timeZone ?? 'UTC');
}
