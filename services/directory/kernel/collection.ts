import { sql } from 'kysely';
import { isNumberIn, type Fragment, pageNumber } from '../store/sql.js';
import { writePageToken } from '../../common/page-token.js';
import { badRequest, objectNotFound, ok, plainCount, type Reply } from '../http/answers.js';
import type { DirectoryRequest, PageStart } from '../http/request.js';
import {
  checkQuery,
  compileFilter,
  compileSearch,
  decodeSkipToken,
  odataLimits,
  type QueryOptions,
  type QueryRules,
  rangeOperand,
} from '../odata/index.js';
import { type ObjectRow, type StoredObject, toStoredObject } from '../store/objects.js';
import { directoryObjectRules, mappingOf, searchColumnOf } from './mapping.js';
import { expandOne } from './expand.js';
import { mayRead } from '../membership/hidden-groups.js';
import type { ObjectType } from './object-type.js';
import { checkSelect, present } from './presentation.js';

/** The source of a list's objects. */
export interface Source {
  /** SQL before `select`, such as a recursive common table expression. */
  readonly with?: Fragment;
  /** SQL after `from`; must include `directory_object o`. */
  readonly from: Fragment;
  readonly where?: Fragment;
  /** The common table expression with the numbers of the objects. */
  readonly numbersFrom?: string;
  /** The default paging key. @default o.number */
  readonly number?: Fragment;
  /** All objects of a type: without `$orderby`, paging may follow the index that a filter uses. */
  readonly whole?: true;
}

/** The presentation of a list. */
export interface Listing {
  readonly source: Source;
  /** The type of all entries; undefined for a mixed list, whose entries carry `@odata.type`. */
  readonly type?: ObjectType;
  /** The `@odata.context` fragment. @default the type's collection, or `directoryObjects` */
  readonly context?: string;
  /** The path has a cast: a filter makes the query an advanced one. */
  readonly cast?: boolean;
  /** Returns `@odata.type` although all entries have the same type. */
  readonly typed?: boolean;
  /**
   * The source contains deleted objects: without lookup columns, returned with `deletedDateTime`.
   */
  readonly deleted?: true;
}

/**
 * A row of a list: an object with its sort value, and when it was deleted. Entries have no version.
 */
interface ListedRow extends Omit<ObjectRow, 'version'> {
  readonly sort?: string;
  readonly deleted_at?: string;
}

interface Page {
  readonly rows: readonly ListedRow[];
  readonly next?: PageStart;
}

interface Order {
  readonly column: Fragment;
  readonly descending: boolean;
}

/** The sort keys of lists. */
const orderColumns: Readonly<Record<string, Fragment>> = {
  displayName: sql`o.display_name`,
  deletedDateTime: sql`o.deleted_at`,
};

const none = sql``;
const [ascending, descending] = [sql`asc`, sql`desc`];
const [type, deletedAt] = [sql`, o.type`, sql`, o.deleted_at`];

/** Answers a list of objects with all the query options. */
export async function listObjects(request: DirectoryRequest, listing: Listing): Promise<Reply> {
  const { directory, options } = request;
  const { type } = listing;
  const rules = rulesOf(listing);
  const { count } = checkQuery(options, rules, {
    eventual: request.eventual,
    ...(listing.cast && { castSegment: true }),
  });
  if (type) checkSelect(directory, type, options.select, false);
  const where = conditions(request, listing);
  const { rows, next } = await readPage(request, listing, where);
  const withCount = count && options.skiptoken === undefined;
  return ok({
    '@odata.context': contextUrl(
      request,
      listing.context ?? type?.collection ?? 'directoryObjects',
      options,
    ),
    ...(withCount && { '@odata.count': await countRows(request, listing, where) }),
    ...request.nextLink(next),
    value: await entriesOf(request, listing, rows),
  });
}

/** The entries of a list, including expanded objects. */
async function entriesOf(
  request: DirectoryRequest,
  listing: Listing,
  rows: readonly ListedRow[],
): Promise<object[]> {
  const { select, expand = [] } = request.options;
  const entries: object[] = [];
  for (const { number, id, type, body, deleted_at: deletedAt } of rows) {
    // Copied by name: rows from the database have different shapes, and spreading them takes longer
    // than parsing them.
    const object: StoredObject = toStoredObject({
      number,
      id,
      type: listing.type?.name ?? type,
      version: 0,
      body,
    });
    const view = present(request.directory, object, {
      select,
      typed: listing.type === undefined || listing.typed === true,
      masked: listing.type === undefined && !mayRead(request, object),
      deletedAt,
    });
    for (const item of expand) Object.assign(view, await expandOne(request, object, item));
    entries.push(view);
  }
  return entries;
}

/** Answers `/$count` of a list. */
export async function countObjects(request: DirectoryRequest, listing: Listing): Promise<Reply> {
  const { options, eventual } = request;
  checkQuery(options, rulesOf(listing), {
    eventual,
    countSegment: true,
    ...(listing.cast && { castSegment: true }),
  });
  return plainCount(await countRows(request, listing, conditions(request, listing)));
}

/** Answers `/$ref` of a list: the addresses of its objects. */
export async function listReferences(request: DirectoryRequest, listing: Listing): Promise<Reply> {
  checkQuery(request.options, rulesOf(listing), { eventual: request.eventual });
  const { rows, next } = await readPage(request, listing, conditions(request, listing));
  return ok({
    ...request.context('Collection($ref)'),
    ...request.nextLink(next),
    value: rows.map((row) => ({ '@odata.id': `${request.base}/directoryObjects/${row.id}` })),
  });
}

/**
 * Answers the address of one object of a list, the `{target}` of the path.
 *
 * @throws DirectoryError 404 when the list does not contain it.
 */
export async function showReference(request: DirectoryRequest, listing: Listing): Promise<Reply> {
  const { source } = listing;
  const id = request.parameter('target');
  const where = [...conditions(request, listing), sql`o.id = ${id.toLowerCase()}`];
  const [row] = await request.directory.sql.query<Pick<ListedRow, 'id'>>(
    sql`${source.with ?? sql``} select o.id from ${source.from} where ${sql.join(where, sql` and `)}`,
  );
  if (!row) throw objectNotFound(id);
  return ok(request.context('$ref', { '@odata.id': `${request.base}/directoryObjects/${row.id}` }));
}

/** A source of all objects of a type. */
export function allOf(type: ObjectType): Source {
  return { from: sql`directory_object o`, where: sql`o.type = ${type.name}`, whole: true };
}

/** A source of the deleted objects of a type that can still be restored. */
export function deletedOf(type: ObjectType, horizon: string): Source {
  return {
    from: sql`directory_deleted_object o`,
    where: sql`o.type = ${type.name} and o.deleted_at > ${horizon}`,
  };
}

function rulesOf({ type }: Listing): QueryRules {
  return type?.queryRules ?? directoryObjectRules;
}

function conditions(request: DirectoryRequest, listing: Listing): Fragment[] {
  const { options, directory } = request;
  const rules = rulesOf(listing);
  const mapping = mappingOf(directory.sql.engine, listing.type, rules, listing.deleted);
  const { source } = listing;
  const where = source.where === undefined ? [] : [source.where];
  if (source.numbersFrom !== undefined)
    where.push(isNumberIn(directory.sql.engine, source.numbersFrom));
  if (options.filter) where.push(compileFilter(options.filter, mapping, rules.resource));
  if (options.search) where.push(compileSearch(options.search, rules, mapping, searchColumnOf));
  return where;
}

async function readPage(
  request: DirectoryRequest,
  listing: Listing,
  where: readonly Fragment[],
): Promise<Page> {
  const { options, directory } = request;
  const { source } = listing;
  const order = orderOf(options) ?? rangeOrder(request, listing);
  const limit = options.top ?? odataLimits.top.default;
  const number = source.number ?? (source.whole ? pageNumber(directory.sql.engine) : sql`o.number`);
  const all = [...where, ...after(options, order, number)];
  const direction = order?.descending ? descending : ascending;
  const candidates = await directory.sql.query<ListedRow>(
    sql`${source.with ?? none}
      select o.number, o.id, o.body${listing.type ? none : type}${listing.deleted ? deletedAt : none}${order ? sql`, ${order.column} as sort` : none}
      from ${source.from} ${all.length > 0 ? sql`where ${sql.join(all, sql` and `)}` : none}
      order by ${order ? sql`${order.column} ${direction}, o.number ${direction}` : number} limit ${sql.lit(limit + 1)}`,
  );
  const rows = candidates.slice(0, limit);
  const last = rows.at(-1);
  if (candidates.length <= limit || last === undefined) return { rows };
  const place = order ? [last.sort ?? null, last.number] : [last.number];
  return { rows, next: { $skiptoken: writePageToken(place) } };
}

function orderOf(options: QueryOptions): Order | undefined {
  const [key, more] = options.orderby ?? [];
  if (more) throw badRequest('Only one property can be sorted by.');
  const column = key && orderColumns[key.property];
  return column && { column, descending: key.descending };
}

/** The sort order of the index that serves a filter. */
function rangeOrder({ directory, options }: DirectoryRequest, listing: Listing): Order | undefined {
  if (!listing.source.whole || !options.filter) return undefined;
  const operand = rangeOperand(
    options.filter,
    mappingOf(directory.sql.engine, listing.type, rulesOf(listing)),
  );
  return operand && { column: operand.expression, descending: false };
}

/** The condition for the rows after the previous page. */
function after(options: QueryOptions, order: Order | undefined, number: Fragment): Fragment[] {
  if (options.skiptoken === undefined) return [];
  const position = decodeSkipToken(options.skiptoken, order ? 2 : 1);
  const last = position.at(-1);
  if (
    typeof last !== 'number' ||
    !Number.isSafeInteger(last) ||
    (order && typeof position[0] !== 'string')
  )
    throw badRequest('Invalid $skiptoken: it was not given out for this query.');
  if (!order) return [sql`${number} > ${last}`];
  return [
    sql`(${order.column}, o.number) ${order.descending ? sql`<` : sql`>`} (${position[0] ?? null}, ${last})`,
  ];
}

function countRows(
  request: DirectoryRequest,
  listing: Listing,
  where: readonly Fragment[],
): Promise<number> {
  const { source } = listing;
  return request.directory.sql.count(
    sql`${source.with ?? none} select count(*) as count from ${source.from} ${where.length > 0 ? sql`where ${sql.join(where, sql` and `)}` : none}`,
  );
}

/** The `@odata.context` of a list or, with `/$entity` at the fragment's end, of one object. */
export function contextUrl(
  request: DirectoryRequest,
  fragment: string,
  options: QueryOptions,
): string {
  if (!options.select && !options.expand) return `${request.base}/$metadata#${fragment}`;
  const expanded = (options.expand ?? []).map(
    (item) => `${item.relationship}(${item.select?.join(',') ?? ''})`,
  );
  const projection = [...(options.select ?? []), ...expanded];
  return `${request.base}/$metadata#${fragment}(${projection.join(',')})`;
}
