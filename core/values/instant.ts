const instantPattern =
  /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-](?:0\d|1[0-3]):?[0-5]\d|[+-]14:?00)?)?$/i;
/** The instants that the cloud and databases have, too: those of the years 1 to 9999. */
const firstInstant = Date.parse('0001-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Milliseconds since 1970 of an ISO 8601 date or instant, in UTC unless it has an offset; NaN for
 * anything else, for days that no month has, and outside the years 1 to 9999.
 */
export function parseInstant(text: string): number {
  const [match, day = '', offset] = instantPattern.exec(text) ?? [];
  const midnight = Date.parse(day);
  // Date.parse takes February 30 for March 1
  if (match === undefined || !isSameDay(midnight, day)) return Number.NaN;
  const needsOffset = match !== day && offset === undefined;
  const instant = Date.parse(`${match}${needsOffset ? 'Z' : ''}`.toUpperCase());
  return instant >= firstInstant && instant <= lastInstant ? instant : Number.NaN;
}

function isSameDay(midnight: number, day: string): boolean {
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
