import type { Directory } from '../kernel/directory.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import { periodOf } from './schedule-info.js';
import { scheduleKinds, type ScheduleKind } from './schedule-kinds.js';

/** Activates the schedules whose start has passed, and ends those whose end has passed. */
export async function processDueSchedules(directory: Directory): Promise<void> {
  const now = directory.clock.now().getTime();
  for (const kind of scheduleKinds)
    for (const { id, body } of await directory.records.list(`${kind.singularPath}s`, '')) {
      const { from, to } = periodOf(body['scheduleInfo']);
      if (to <= now)
        await directory.sql.transaction(() => endSchedule(directory, kind, { id, body }));
      else if (body['status'] !== 'Provisioned' && from <= now)
        await directory.sql.transaction(async () => {
          await beginSchedule(directory, kind, body);
          await directory.records.replace(`${kind.singularPath}s`, '', id, {
            ...body,
            status: 'Provisioned',
          });
        });
    }
}

/** The schedule for a principal and what it gets. */
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
  { assignment }: ScheduleKind,
  grant: Body,
): Promise<void> {
  await assignment?.assign(directory, grant);
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
  if (assignment === 'remove') await kind.assignment?.unassign(directory, body);
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
