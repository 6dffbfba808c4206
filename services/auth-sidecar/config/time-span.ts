const pattern = /^(?:(\d{1,5})\.)?([01]?\d|2[0-3]):([0-5]\d):([0-5]\d)$/;

/**
 * Seconds of a time span as the cloud writes it: `hh:mm:ss` or `d.hh:mm:ss`. Undefined when it is not one, or not longer than nothing.
 *
 * @example parseTimeSpan('08:00:00') === 28800
 */
export function parseTimeSpan(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [number, number, number, number];
  const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  return total > 0 ? total : undefined;
}
