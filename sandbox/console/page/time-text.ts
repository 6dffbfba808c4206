/** The time of day in UTC: `03:58:05`. */
export function timeOfDay(time: string | number): string {
  return new Date(time).toISOString().slice(11, 19);
}

/** A moment in UTC: `2026-11-28 03:58:05 UTC`. */
export function momentOf(time: string | number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
