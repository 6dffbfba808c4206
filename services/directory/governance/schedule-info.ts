import { parseInstant } from '../../../core/values/instant.js';
import { isObject } from '../../../core/values/is-object.js';
import { parseDuration } from '../../../kinds/membership-rule/duration.js';
import { propertyTypes } from '../kernel/body-properties.js';
import { badRequest, invalidProperty } from '../http/answers.js';
import { addDuration } from '../../../kinds/membership-rule/evaluation/compare-value.js';
import type { Body } from '../store/objects.js';

const expirationTypes = ['noExpiration', 'afterDateTime', 'afterDuration'] as const;

/** The `scheduleInfo` to store; a start in the past means now. @throws DirectoryError 400. */
export function parseScheduleInfo(info: unknown, now: Date): Body {
  if (!isObject(info))
    throw badRequest("A value is required for property 'scheduleInfo'.", 'scheduleInfo');
  const { startDateTime = null, expiration } = info;
  requireInstant(startDateTime, 'scheduleInfo.startDateTime');
  const start =
    startDateTime !== null && parseInstant(String(startDateTime)) > now.getTime()
      ? startDateTime
      : now.toISOString();
  const { type, endDateTime = null, duration = null } = isObject(expiration) ? expiration : {};
  const expirationType = canonicalEnumValue(expirationTypes, type, 'scheduleInfo.expiration.type');
  requireInstant(endDateTime, 'scheduleInfo.expiration.endDateTime');
  const scheduleInfo = {
    startDateTime: start,
    recurrence: null,
    expiration: {
      type: expirationType,
      endDateTime: expirationType === 'afterDateTime' ? endDateTime : null,
      duration: expirationType === 'afterDuration' ? duration : null,
    },
  };
  const { from, to } = periodOf(scheduleInfo);
  if (Number.isNaN(to))
    throw invalidProperty(
      'scheduleInfo.expiration',
      `${expirationType} needs ${expirationType === 'afterDuration' ? 'a duration such as P30D' : 'an endDateTime'}`,
    );
  if (to <= from) throw badRequest('The expiration must be after the start.', 'scheduleInfo');
  return scheduleInfo;
}

/** @throws DirectoryError 400 for a value other than null and an ISO 8601 date and time. */
function requireInstant(value: unknown, name: string): void {
  const { matches, expectation } = propertyTypes.dateTime;
  if (value !== null && !matches(value)) throw invalidProperty(name, `${expectation} is expected`);
}

/**
 * The start and end of a schedule in milliseconds: Infinity without an end, NaN for an unreadable
 * end.
 */
export function periodOf(info: unknown): { readonly from: number; readonly to: number } {
  const { startDateTime, expiration } = info as {
    startDateTime: string;
    expiration: Readonly<Record<string, unknown>>;
  };
  const from = parseInstant(startDateTime);
  if (expiration['type'] === 'noExpiration') return { from, to: Number.POSITIVE_INFINITY };
  if (expiration['type'] === 'afterDateTime')
    return { from, to: parseInstant(String(expiration['endDateTime'])) };
  const duration = parseDuration(String(expiration['duration']));
  return { from, to: duration ? addDuration(new Date(from), duration, 1) : Number.NaN };
}

/**
 * The allowed value of an enumeration that a value is in any letter case.
 *
 * @throws DirectoryError 400 for another value.
 */
export function canonicalEnumValue<Word extends string>(
  words: readonly Word[],
  value: unknown,
  name: string,
): Word {
  const word = words.find((each) => each.toLowerCase() === String(value).toLowerCase());
  if (word === undefined) throw invalidProperty(name, `it must be one of ${words.join(', ')}`);
  return word;
}
