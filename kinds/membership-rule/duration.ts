import type { RuleDuration } from './ast.js';

const durationPattern =
  /^p(?=\w)(?:(\d{1,4})y)?(?:(\d{1,4})m)?(?:(\d{1,4})w)?(?:(\d{1,5})d)?(?:t(?=\d)(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?)?$/i;

/** Reads an ISO 8601 duration such as `p30d`; undefined for anything else. */
export function parseDuration(text: string): RuleDuration | undefined {
  const match = durationPattern.exec(text);
  if (!match) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  return {
    text: text.toLowerCase(),
    years,
    months,
    days: weeks * 7 + days,
    seconds: (hours * 60 + minutes) * 60 + seconds,
  };
}
