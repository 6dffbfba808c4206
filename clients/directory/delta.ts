import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { type Page, pagesOf } from '../common/paging.js';
import { isServiceError } from '../common/service-error.js';
import { type CallOptions, type DirectoryConnection, signalOf } from './connection.js';

/** A changed object, with its id and the requested properties, or a removed one. */
export type DeltaEntry<T> =
  (Partial<T> & { readonly id: string; readonly '@removed'?: undefined }) | RemovedEntry;

/** `changed`: deleted, can be restored; `deleted`: deleted permanently. */
export interface RemovedEntry {
  readonly id: string;
  readonly '@removed': { readonly reason: 'changed' | 'deleted' };
}

/** One page of a delta round. */
export interface DeltaPage<T> {
  /** The changed and removed objects. */
  readonly entries: readonly DeltaEntry<T>[];
  /** The start of the next round, on the last page of a round only. Keep it. */
  readonly deltaLink?: string;
}

/** The start of a round and what it returns. */
export interface DeltaOptions extends CallOptions {
  /** The `deltaLink` of an earlier round, to get only what changed since. @default everything */
  readonly since?: string;
  /**
   * Properties and relationships (`members`) for the first round; later rounds keep them.
   *
   * @default the default properties
   */
  readonly select?: readonly string[];
  /** Starts at the present state: no entries, only a link. @default false */
  readonly latest?: boolean;
}

interface RawPage<T> extends Page<DeltaEntry<T>> {
  readonly '@odata.deltaLink'?: string;
}

/**
 * One round of a delta query, page by page.
 *
 * @throws ServiceError 410 when the link has expired; start again without it (see
 *   {@link isExpiredDelta}).
 * @throws CAS5005 when the service ends a round without a link to the next one.
 */
export async function* deltaOf<T>(
  connection: DirectoryConnection,
  collection: string,
  options: DeltaOptions = {},
): AsyncGenerator<DeltaPage<T>, void, undefined> {
  const path = `/${options.version ?? connection.version}/${collection}/delta`;
  const first =
    options.since === undefined
      ? {
          path,
          query: {
            $select: options.select?.join(','),
            $deltatoken: options.latest === true ? 'latest' : undefined,
          },
        }
      : { url: options.since };
  let isComplete = false;
  for await (const page of pagesOf<RawPage<T>>(connection.http, {
    ...first,
    ...signalOf(options),
  })) {
    const { value, '@odata.deltaLink': deltaLink } = page;
    isComplete = deltaLink !== undefined;
    yield { entries: value, ...omitUndefined({ deltaLink }) };
  }
  if (!isComplete)
    throw new CastellanError(
      'CAS5005',
      `the delta of ${collection} ended without a link to go on from`,
    );
}

/** Whether a round failed because its link has expired: start again without one. */
export function isExpiredDelta(error: unknown): boolean {
  return isServiceError(error, 410);
}
