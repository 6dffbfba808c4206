import type { SelectQueryBuilder } from 'kysely';
import type { ItemsTables } from '../store/tables.js';
import { readPageToken, writePageToken } from '../../common/page-token.js';
import { type Answer, type Call, ok } from './call.js';
import { Problem } from './problem.js';

/** The page size. */
const pageSize = 100;

/**
 * The position in a token: the number of the last entry.
 *
 * @throws Problem 400 for a token that does not fit the listing.
 */
function positionInToken(call: Call): number {
  const token = call.query.get('continuationToken');
  if (token === null || token === '') return 0;
  const [key, after] = [readPageToken(token)].flat();
  // A token of another listing or options is a mistake of the caller. Tokens are not secret: who
  // writes one only chooses where in a listing that he may read the page starts.
  if (
    key !== listKey(call) ||
    !Number.isSafeInteger(after) ||
    writePageToken([key, after]) !== token
  )
    throw new Problem('InvalidContinuationToken', 'The continuation token is invalid.');
  return Number(after);
}

/**
 * A page of a listing.
 *
 * @param query all rows of the listing, in any order: pages are by `seq`.
 * @param view converts the rows of the page to answers.
 * @returns `{value, continuationToken, continuationUri}`, the last two null on the last page.
 */
export async function pageAnswer<
  Table extends keyof ItemsTables,
  Row extends { readonly seq: number },
>(
  call: Call,
  query: SelectQueryBuilder<ItemsTables, Table, Row>,
  view: (rows: readonly Row[]) => readonly unknown[] | Promise<readonly unknown[]>,
): Promise<Answer> {
  const listing = query as unknown as SelectQueryBuilder<
    { listing: { seq: number } },
    'listing',
    Row
  >;
  const rowsAfterPosition = listing.where('seq', '>', positionInToken(call)).orderBy('seq');
  const rows = await rowsAfterPosition.limit(pageSize + 1).execute();
  const values = await view(rows.slice(0, pageSize));
  const last = rows[pageSize - 1];
  if (rows.length <= pageSize || last === undefined)
    return ok({ value: values, continuationToken: null, continuationUri: null });
  const continuationToken = writePageToken([listKey(call), last.seq]);
  return ok({
    value: values,
    continuationToken,
    continuationUri: call.linkWith({ continuationToken }),
  });
}

/** The listing of a token: its path and its other options. */
function listKey(call: Call): string {
  const otherOptions = [...call.query].filter(([name]) => name !== 'continuationToken').sort();
  return `${call.path.toLowerCase()}?${JSON.stringify(otherOptions)}`;
}
