/** Where the services get the time from, so that tests and rehearsals can move it. */
export interface Clock {
  /** The present time. */
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that starts at a given time and runs on from there (`--now`). */
export function clockStartingAt(start: Date, machine: Clock = systemClock): Clock {
  const offset = start.getTime() - machine.now().getTime();
  return { now: () => new Date(machine.now().getTime() + offset) };
}
