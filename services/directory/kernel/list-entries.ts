import type { DirectoryRequest } from '../http/request.js';
import type { ExpandItem } from '../odata/index.js';
import type { ObjectRow, StoredObject } from '../store/objects.js';
import type { SqlValue } from '../store/sql.js';
import { toStoredObject } from '../store/stored-text.js';
import type { Listing } from './collection.js';
import { expandOne } from './expand.js';
import { mayRead } from './may-read.js';
import { present } from './present.js';
import { renderRow } from './rendered.js';

/** A row of a list: an object with the value it is sorted by, and when it was deleted. */
export interface ListedRow extends Omit<ObjectRow, 'version'> {
  readonly sort: string | undefined;
  readonly deletedAt: string | undefined;
}

/** Reads a row: number, id, body, the type in mixed lists, when it was deleted in lists of such objects, and what it is sorted by. */
export function listedRow(columns: readonly SqlValue[], { type, deleted }: Listing): ListedRow {
  let at = 3;
  return {
    number: columns[0] as number,
    id: columns[1] as string,
    body: columns[2] as string,
    type: type?.name ?? (columns[at++] as string),
    deletedAt: deleted && (columns[at++] as string),
    sort: columns[at] as string | undefined,
  };
}

/** The JSON texts of a list's entries. */
export function entryTexts(request: DirectoryRequest, listing: Listing, rows: readonly ListedRow[]): string[] {
  const { directory, options } = request;
  const typed = isTyped(listing);
  if (options.select || listing.deleted) return rows.map((row) => JSON.stringify(shownRow(request, listing, row)));
  return rows.map((row) =>
    isMasked(request, listing, row) ? JSON.stringify(shownRow(request, listing, row)) : renderRow(directory, row, typed),
  );
}

/** The same with a relationship expanded. */
export async function expandedTexts(
  request: DirectoryRequest,
  listing: Listing,
  rows: readonly ListedRow[],
  items: readonly ExpandItem[],
): Promise<string[]> {
  const texts: string[] = [];
  for (const row of rows) {
    const shown = shownRow(request, listing, row);
    const object = storedObject(row);
    for (const item of items) Object.assign(shown, await expandOne(request, object, item));
    texts.push(JSON.stringify(shown));
  }
  return texts;
}

function shownRow(request: DirectoryRequest, listing: Listing, row: ListedRow): Record<string, unknown> {
  const { select } = request.options;
  return present(request.directory, storedObject(row), {
    ...(select && { select }),
    typed: isTyped(listing),
    masked: isMasked(request, listing, row),
    ...(row.deletedAt !== undefined && { deletedAt: row.deletedAt }),
  });
}

/** Entries show no version: they have no entity tags. */
function storedObject(row: ListedRow): StoredObject {
  return toStoredObject({ ...row, version: 0 });
}

function isMasked(request: DirectoryRequest, { type }: Listing, row: ListedRow): boolean {
  return type === undefined && !mayRead(request, row);
}

function isTyped({ type, typed }: Listing): boolean {
  return type === undefined || typed === true;
}
