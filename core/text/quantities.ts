/** The milliseconds of each unit. */
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

/** A duration in one unit: `4.1 s`, `45 s`, `12 min`, `5 h`, `3 days`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 10 * second) return `${(milliseconds / second).toFixed(1)} s`;
  if (milliseconds < 2 * minute) return `${Math.floor(milliseconds / second)} s`;
  if (milliseconds < 2 * hour) return `${Math.floor(milliseconds / minute)} min`;
  if (milliseconds < 2 * day) return `${Math.floor(milliseconds / hour)} h`;
  return `${Math.floor(milliseconds / day)} days`;
}

/** An amount of memory or disk, in the largest unit of which there are two: `61 GB`, `1500 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = units.findIndex((_, index) => bytes < 2 * 1000 ** (index + 1));
  const index = power === -1 ? units.length - 1 : power;
  return `${Math.floor(bytes / 1000 ** index)} ${units[index]}`;
}

/** The month of a date: `Nov 2036`. */
export function formatMonth(date: Date): string {
  return date.toLocaleString('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
}
