import { createHash } from 'node:crypto';
import type { Position } from './store/transaction-store.js';
import { invalidParameter } from './errors.js';

/** What a page belongs to: the options that decide which rows come in which order. */
export interface Listing {
  readonly account: string;
  readonly invoice: string;
  readonly filter: string;
  readonly orderBy: string;
  readonly search: string;
}

/** The place after a page, for the next link: it holds for this listing only. */
export function writePageToken(listing: Listing, { values, seq }: Position): string {
  return Buffer.from(JSON.stringify([digest(listing), seq, ...values])).toString('base64url');
}

/**
 * The place that a token names.
 *
 * @throws BillingError 400 for a token that isn't one, or that belongs to another listing.
 */
export function readPageToken(token: string, listing: Listing, keys: number): Position {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    parsed = undefined; // not a token: refused below like any other that doesn't fit
  }
  if (Array.isArray(parsed)) {
    const [listingDigest, seq, ...values] = parsed as unknown[];
    const fits = listingDigest === digest(listing) && Number.isSafeInteger(seq) && values.length === keys;
    if (fits && values.every((value) => typeof value === 'string')) return { seq: seq as number, values };
  }
  throw invalidParameter('skiptoken', 'The skip token is not one of this listing.', 'InvalidSkipToken');
}

function digest(listing: Listing): string {
  const parts = [listing.account.toLowerCase(), listing.invoice.toLowerCase(), listing.filter, listing.orderBy, listing.search];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
