import { isGuid } from '../../core/values/guid.js';
import type { Check } from './schema.js';

/** One of these words, case-sensitive. */
export function oneOf(...allowed: readonly string[]): Check {
  return (value, name) =>
    allowed.includes(String(value))
      ? undefined
      : `expected ${name} to be one of [${allowed.map((each) => JSON.stringify(each)).join(' ')}], got ${String(value)}`;
}

/** One of these words in any letter case. */
export function oneOfIgnoringCase(...allowed: readonly string[]): Check {
  const strict = oneOf(...allowed);
  return (value, name) =>
    allowed.some((each) => each.toLowerCase() === String(value).toLowerCase())
      ? undefined
      : strict(value, name);
}

/** A number, with or without a fraction, within inclusive bounds. */
export function between(min: number, max: number): Check {
  return (value, name) =>
    Number(value) >= min && Number(value) <= max
      ? undefined
      : `expected ${name} to be in the range (${min} - ${max}), got ${String(value)}`;
}

/** A number of at least the bound. */
export function atLeast(min: number): Check {
  return (value, name) =>
    Number(value) >= min
      ? undefined
      : `expected ${name} to be at least (${min}), got ${String(value)}`;
}

/** A non-empty text; spaces count as text. */
export const notEmpty: Check = (value, name) =>
  value === '' ? `expected "${name}" to not be an empty string, got ${String(value)}` : undefined;

/** A text with a length within inclusive bounds. */
export function length(min: number, max: number): Check {
  return (value, name) => {
    const count = [...String(value)].length;
    return count >= min && count <= max
      ? undefined
      : `expected length of ${name} to be in the range (${min} - ${max}), got ${count} characters`;
  };
}

/** A text of at most the given number of UTF-8 bytes. */
export function bytesAtMost(max: number): Check {
  return (value, name) => {
    const count = Buffer.byteLength(String(value), 'utf8');
    return count <= max
      ? undefined
      : `Attribute ${name} string length must be at most ${max}, got: ${count}`;
  };
}

/** A text of a form, which the message describes. */
export function matches(pattern: RegExp, message: string): Check {
  return (value, name) =>
    pattern.test(String(value)) ? undefined : `invalid value for ${name} (${message})`;
}

/** A UUID of 36 characters, in either letter case, without braces. */
export const uuid: Check = (value, name) =>
  isGuid(value) ? undefined : `expected "${name}" to be a valid UUID, got ${String(value)}`;

/** An http or https URL with a host. */
export const httpUrl: Check = (value, name) => {
  const url = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
  if (url === undefined || url.hostname === '')
    return `expected "${name}" to have a host, got ${String(value)}`;
  return ['http:', 'https:'].includes(url.protocol)
    ? undefined
    : `expected "${name}" to have a url with schema of: "http,https", got ${String(value)}`;
};

/** An RFC 3339 time. */
export const rfc3339: Check = (value, name) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(String(value)) &&
  !Number.isNaN(Date.parse(String(value)))
    ? undefined
    : `expected "${name}" to be a valid RFC3339 date, got ${String(value)}`;
