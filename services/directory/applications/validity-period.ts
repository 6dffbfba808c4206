import { parseInstant } from '../../../core/values/instant.js';
import { invalidProperty } from '../http/answers.js';
import { formatInstant } from '../kernel/presentation.js';
import { propertyTypes } from '../kernel/body-properties.js';
import type { Body } from '../store/objects.js';

/** From when to when a credential is valid, in ISO 8601. */
export interface ValidityPeriod {
  readonly startDateTime: string;
  readonly endDateTime: string;
}

/**
 * The period of a new credential. Dates keep the form of the request.
 *
 * @param values the credential in the request.
 * @param defaultStart used without `startDateTime`.
 * @param defaultEnd used without `endDateTime`: an instant, or the years after the start.
 * @throws DirectoryError 400 for a date in another form, or an end that does not follow the start.
 */
export function validityPeriod(
  values: Body,
  defaultStart: Date,
  defaultEnd: Date | number,
): ValidityPeriod {
  const startDateTime = instantIn(values, 'startDateTime') ?? formatInstant(defaultStart);
  const endDateTime =
    instantIn(values, 'endDateTime') ??
    (defaultEnd instanceof Date ? formatInstant(defaultEnd) : addYears(startDateTime, defaultEnd));
  if (parseInstant(endDateTime) <= parseInstant(startDateTime))
    throw invalidProperty(
      'endDateTime',
      `an instant after the start, ${startDateTime}, is expected`,
    );
  return { startDateTime, endDateTime };
}

function instantIn(values: Body, name: string): string | undefined {
  const value = values[name] ?? undefined;
  const { expectation, matches } = propertyTypes.dateTime;
  if (value !== undefined && !matches(value))
    throw invalidProperty(name, `${expectation} is expected`);
  return value as string | undefined;
}

/** The same day some years later. */
function addYears(start: string, years: number): string {
  const date = new Date(parseInstant(start));
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return formatInstant(date);
}
