/** The services' source of time, which tests and `--now` can change. */
export interface Clock {
  /** The present time. */
  now(): Date;
}

/** The system clock. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that starts at a given time (`--now`). */
export function clockStartingAt(start: Date, machine: Clock = systemClock): Clock {
  const offset = start.getTime() - machine.now().getTime();
  return { now: () => new Date(machine.now().getTime() + offset) };
}
