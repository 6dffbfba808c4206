/** The time of day in UTC: `03:58:05`. */
export function timeOfDay(at: string | number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** A moment in UTC: `2026-11-28 03:58:05 UTC`. */
export function momentOf(at: string | number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
