import { type Answer, type Call, ok } from './call.js';
import { Problem } from './problem.js';

/** How many entries a page has. */
export const pageSize = 100;

/** Where a listing goes on: after the entry with this number. */
export function continuationOf(call: Call): number {
  const token = call.query.get('continuationToken');
  if (token === null || token === '') return 0;
  const text = Buffer.from(token, 'base64url').toString('latin1');
  const match = /^after:(\d{1,15}):(.*)$/s.exec(text);
  // Exactly as it was given, and for this listing: a guessed or foreign token must not page through something else.
  if (match === null || match[2] !== listKey(call) || Buffer.from(text, 'latin1').toString('base64url') !== token)
    throw new Problem('InvalidContinuationToken', 'The continuation token is invalid.');
  return Number(match[1]);
}

/**
 * A page of a listing. `rows` holds one more than {@link pageSize} when there is a next page.
 *
 * @returns `{value, continuationToken, continuationUri}`, the last two null on the last page.
 */
export function page<Row extends { readonly seq: number }>(call: Call, rows: readonly Row[], values: readonly unknown[]): Answer {
  const last = rows[pageSize - 1];
  if (rows.length <= pageSize || last === undefined) return ok({ value: values, continuationToken: null, continuationUri: null });
  const continuationToken = Buffer.from(`after:${last.seq}:${listKey(call)}`, 'latin1').toString('base64url');
  return ok({ value: values, continuationToken, continuationUri: call.linkWith({ continuationToken }) });
}

/** The listing a token belongs to: its path and its other options. */
function listKey(call: Call): string {
  const others = [...call.query].filter(([name]) => name !== 'continuationToken').sort();
  return encodeURIComponent(`${call.path.toLowerCase()}?${JSON.stringify(others)}`);
}
