const instantPattern = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Milliseconds since 1970 of an ISO 8601 date or instant, in UTC unless it has an offset; NaN for
 * anything else.
 */
export function parseInstant(text: string): number {
  const [match, day = '', offset] = instantPattern.exec(text) ?? [];
  const midnight = Date.parse(day);
  // Date.parse takes February 30 for March 1
  if (match === undefined || !isSameDay(midnight, day)) return Number.NaN;
  const needsOffset = match !== day && offset === undefined;
  return Date.parse(`${match}${needsOffset ? 'Z' : ''}`.toUpperCase());
}

function isSameDay(midnight: number, day: string): boolean {
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
