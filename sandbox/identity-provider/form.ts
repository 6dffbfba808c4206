import { isObject } from '../../core/values/is-object.js';

/** The fields of a form, or of a query. */
export type Form = Readonly<Record<string, string>>;

/**
 * The fields of a query or a parsed body. Repeated ones, which OAuth does not allow (RFC 6749, 3.1),
 * and those of JSON that are no texts count as missing.
 */
export function formOf(parsed: unknown): Form {
  if (!isObject(parsed) || Buffer.isBuffer(parsed)) return {};
  const fields = Object.entries(parsed);
  return Object.fromEntries(
    fields.filter((each): each is [string, string] => typeof each[1] === 'string'),
  );
}
