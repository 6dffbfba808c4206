/** A time of a policy: nanoseconds since 1970, in UTC or with a time zone such as `Europe/Berlin`. */
export type RegoTime = number | readonly [nanoseconds: number, timeZone: string];

export const nanosecondsPerMillisecond = 1e6;

/** What calendar and clock show at a time. */
interface LocalTime {
  readonly date: readonly [year: number, month: number, day: number];
  readonly clock: readonly [hour: number, minute: number, second: number];
  readonly weekday: string;
}

/** What calendar and clock of a time's zone show; undefined for a zone or time that doesn't exist. */
export function localTime(time: RegoTime): LocalTime | undefined {
  const [nanoseconds, timeZone] = typeof time === 'number' ? [time, 'UTC'] : time;
  let parts: readonly Intl.DateTimeFormatPart[];
  try {
    parts = formatFor(timeZone).formatToParts(nanoseconds / nanosecondsPerMillisecond);
  } catch {
    return undefined;
  }
  const textOf = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  const numberOf = (type: Intl.DateTimeFormatPartTypes): number => Number(textOf(type));
  return {
    date: [numberOf('year'), numberOf('month'), numberOf('day')],
    clock: [numberOf('hour'), numberOf('minute'), numberOf('second')],
    weekday: textOf('weekday'),
  };
}

/** As in Go, no zone is UTC, and `Local` is that of this machine. */
function formatFor(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    ...(timeZone !== 'Local' && { timeZone: timeZone === '' ? 'UTC' : timeZone }),
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    weekday: 'long',
  });
}
