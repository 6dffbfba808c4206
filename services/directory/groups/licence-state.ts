import type { Body } from '../store/objects.js';

/** How long a change of licences waits, and how long it is worked on, before it is complete. */
export const licenceProcessing = { queuedMilliseconds: 1_000, inProgressMilliseconds: 1_000 } as const;

/** The state of a group's licence processing, by the time since its licences changed; null where there never were any. */
export function licenceState(body: Body, now: Date): { licenseProcessingState?: string } {
  const changed = body['licensesChangedAt'];
  if (typeof changed !== 'string') return {};
  const passed = now.getTime() - Date.parse(changed);
  const { queuedMilliseconds, inProgressMilliseconds } = licenceProcessing;
  if (passed < queuedMilliseconds) return { licenseProcessingState: 'QueuedForProcessing' };
  return { licenseProcessingState: passed < queuedMilliseconds + inProgressMilliseconds ? 'ProcessingInProgress' : 'ProcessingComplete' };
}
