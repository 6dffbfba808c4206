const pattern = '^(\\d{1,5}\\.)?([01]?\\d|2[0-3]):[0-5]\\d:[0-5]\\d$';

/**
 * The limits of a time span as the cloud writes it: hours, minutes and seconds, with days before
 * them where needed: `1.00:00:00`.
 */
export const timeSpanFormat = {
  pattern,
  patternDescription: 'the form hh:mm:ss or d.hh:mm:ss',
  validate: (value: unknown): string | undefined =>
    timeSpanToSeconds(String(value)) === 0 ? 'it must be longer than zero' : undefined,
} as const;

/**
 * Seconds of a time span; undefined where it is not one.
 *
 * @example timeSpanToSeconds('08:00:00') === 28800
 */
export function timeSpanToSeconds(text: string): number | undefined {
  if (!new RegExp(pattern).test(text)) return undefined;
  const [clock = '', days = '0'] = text.split('.').reverse();
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return ((Number(days) * 24 + hours) * 60 + minutes) * 60 + seconds;
}
