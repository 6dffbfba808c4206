import { DirectoryError } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import { periodOf } from './schedule-info.js';
import { scheduleKinds, type ScheduleKind } from './schedule-kinds.js';

/**
 * Activates the schedules whose start has passed, and ends those whose end has passed. One that can
 * no longer start, such as for a principal who became a member meanwhile, is deleted, and its request
 * fails.
 */
export async function processDueSchedules(directory: Directory): Promise<void> {
  const now = directory.clock.now().getTime();
  for (const kind of scheduleKinds)
    for (const schedule of await directory.records.list(`${kind.singularPath}s`, '')) {
      const { from, to } = periodOf(schedule.body['scheduleInfo']);
      if (to <= now) await directory.sql.transaction(() => endSchedule(directory, kind, schedule));
      else if (schedule.body['status'] !== 'Provisioned' && from <= now)
        await activateSchedule(directory, kind, schedule);
    }
}

async function activateSchedule(
  directory: Directory,
  kind: ScheduleKind,
  schedule: StoredRecord,
): Promise<void> {
  const { records, sql } = directory;
  const { id, body } = schedule;
  try {
    await sql.transaction(async () => {
      await beginSchedule(directory, kind, body);
      const activated = { ...body, status: 'Provisioned' };
      await records.replace(`${kind.singularPath}s`, '', id, activated);
    });
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    await sql.transaction(async () => {
      await endSchedule(directory, kind, schedule, 'keep');
      const requests = `${kind.singularPath}Requests`;
      const request = await records.get(requests, '', String(body['createdUsing']));
      if (request)
        await records.replace(requests, '', request.id, { ...request.body, status: 'Failed' });
    });
  }
}

/** The schedule of a grant: of a principal and the group or role that it gets. */
export function findSchedule(
  { records }: Directory,
  { singularPath }: ScheduleKind,
  grant: Body,
): Promise<StoredRecord | undefined> {
  return records.findWith(`${singularPath}s`, '', grant);
}

/** Starts a schedule: makes its assignment; an eligibility has none. */
export async function beginSchedule(
  directory: Directory,
  { assignmentActions }: ScheduleKind,
  grant: Body,
): Promise<void> {
  await assignmentActions?.assign(directory, grant);
}

/**
 * Deletes a schedule.
 *
 * @param assignment whether to remove the assignment as well, or to keep it for another schedule that
 *   continues it.
 */
export async function endSchedule(
  directory: Directory,
  kind: ScheduleKind,
  { id, body }: StoredRecord,
  assignment: 'remove' | 'keep' = 'remove',
): Promise<void> {
  await directory.records.remove(`${kind.singularPath}s`, '', id);
  if (assignment === 'remove' && body['status'] === 'Provisioned')
    await kind.assignmentActions?.unassign(directory, body);
}

/** Ends all schedules whose values match. */
export async function endSchedulesWhere(
  directory: Directory,
  matches: (body: Body) => boolean,
): Promise<void> {
  for (const kind of scheduleKinds)
    for (const record of await directory.records.list(`${kind.singularPath}s`, ''))
      if (matches(record.body)) await endSchedule(directory, kind, record);
}
