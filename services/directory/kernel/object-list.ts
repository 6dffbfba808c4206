import { sql } from 'kysely';
import { isRowNumber, numberInTableCondition, type Fragment, pagingNumber } from '../store/sql.js';
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
import { dateRules } from '../odata/property-rules.js';
import { type ObjectRow, type StoredObject, toStoredObject } from '../store/objects.js';
import {
  mixedListRules,
  maskExpression,
  sqlMappingOf,
  searchColumnOf,
  withMaskedValues,
} from './sql-mapping.js';
import { expandRelationship } from './expand.js';
import { mayRead, readableCondition } from '../membership/hidden-memberships.js';
import type { ObjectType } from './object-type.js';
import { checkSelect, present } from './presentation.js';

/** The SQL that selects a list's objects. */
export interface ObjectSource {
  /** SQL before `select`, such as a recursive common table expression. */
  readonly with?: Fragment;
  /** SQL after `from`; must include `directory_object o`. */
  readonly from: Fragment;
  /** The SQL condition after `where`. @default none */
  readonly where?: Fragment;
  /** The common table expression of {@link with} that has the numbers of the objects. */
  readonly numbersTable?: string;
  /** The key by which pages are sorted without `$orderby`. @default o.number */
  readonly pagingKey?: Fragment;
  /** The list is all objects of a type: without `$orderby`, pages may follow a filter's index. */
  readonly isWholeType?: true;
}

/** The presentation of a list. */
export interface Listing {
  readonly source: ObjectSource;
  /** The type of all entries; undefined for a mixed list, whose entries carry `@odata.type`. */
  readonly type?: ObjectType;
  /** The `@odata.context` fragment. @default the type's collection, or `directoryObjects` */
  readonly context?: string;
  /** The path has a cast, with which a filter makes the query an advanced one. */
  readonly hasCast?: boolean;
  /**
   * Another object leads to the entries: of those that the caller may not read, the answer has type
   * and id only, and queries find them by nothing else.
   */
  readonly masksUnreadable?: true;
  /** Returns `@odata.type` although all entries have the same type. */
  readonly withODataType?: boolean;
  /**
   * The source contains deleted objects: without lookup columns, returned with `deletedDateTime`.
   */
  readonly deleted?: true;
}

/**
 * A row of a list: an object with its sort value, and when it was deleted. Entries have no version.
 */
interface ListedRow extends Omit<ObjectRow, 'version'> {
  /** The value by which the list is sorted; absent if that is by number only. */
  readonly sort?: string;
  /** ISO 8601; only in lists of deleted objects. */
  readonly deleted_at?: string;
}

interface Page {
  readonly rows: readonly ListedRow[];
  /** Absent on the last page. */
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

/** The fragments from which statements of lists are made. */
const emptySql = sql``;
const [ascending, descending] = [sql`asc`, sql`desc`];
const [typeColumn, deletedAtColumn] = [sql`, o.type`, sql`, o.deleted_at`];

/** Answers a list of objects, with all query options. */
export async function listObjects(request: DirectoryRequest, listing: Listing): Promise<Reply> {
  const { directory, options } = request;
  const { type } = listing;
  const rules = queryRulesOf(listing);
  const { count } = checkQuery(options, rules, {
    eventual: request.isEventual,
    ...(listing.hasCast && { castSegment: true }),
  });
  if (type) checkSelect(directory, type, options.select, 'list');
  const where = whereConditions(request, listing);
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
    value: await presentEntries(request, listing, rows),
  });
}

/** The entries of a list, including expanded objects. */
async function presentEntries(
  request: DirectoryRequest,
  listing: Listing,
  rows: readonly ListedRow[],
): Promise<object[]> {
  const { select, expand = [] } = request.options;
  const entries: object[] = [];
  for (const { number, id, type, body, deleted_at: deletedAt } of rows) {
    // Columns are named, since spreading rows of different shapes is slower than parsing them.
    const object: StoredObject = toStoredObject({
      number,
      id,
      type: listing.type?.name ?? type,
      version: 0,
      body,
    });
    const view = present(request.directory, object, {
      select,
      withODataType: listing.type === undefined || listing.withODataType === true,
      masked: listing.masksUnreadable === true && !mayRead(request, object),
      deletedAt,
    });
    for (const item of expand) Object.assign(view, await expandRelationship(request, object, item));
    entries.push(view);
  }
  return entries;
}

/** Answers `/$count` of a list. */
export async function countObjects(request: DirectoryRequest, listing: Listing): Promise<Reply> {
  const { options, isEventual } = request;
  checkQuery(options, queryRulesOf(listing), {
    eventual: isEventual,
    countSegment: true,
    ...(listing.hasCast && { castSegment: true }),
  });
  return plainCount(await countRows(request, listing, whereConditions(request, listing)));
}

/** Answers `/$ref` of a list: the addresses of its objects. */
export async function listReferences(request: DirectoryRequest, listing: Listing): Promise<Reply> {
  checkQuery(request.options, queryRulesOf(listing), { eventual: request.isEventual });
  const { rows, next } = await readPage(request, listing, whereConditions(request, listing));
  return ok({
    ...request.withContext('Collection($ref)'),
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
  const where = [...whereConditions(request, listing), sql`o.id = ${id.toLowerCase()}`];
  const [row] = await request.directory.sql.query<Pick<ListedRow, 'id'>>(
    sql`${source.with ?? sql``} select o.id from ${source.from} where ${sql.join(where, sql` and `)}`,
  );
  if (!row) throw objectNotFound(id);
  return ok(
    request.withContext('$ref', { '@odata.id': `${request.base}/directoryObjects/${row.id}` }),
  );
}

/** A source of all objects of a type. */
export function allObjectsOf(type: ObjectType): ObjectSource {
  return { from: sql`directory_object o`, where: sql`o.type = ${type.name}`, isWholeType: true };
}

/** A source of the deleted objects of a type that can still be restored. */
export function deletedObjectsOf(type: ObjectType, deletedAfter: string): ObjectSource {
  return {
    from: sql`directory_deleted_object o`,
    where: sql`o.type = ${type.name} and o.deleted_at > ${deletedAfter}`,
  };
}

/** The rules of a list. Only deleted objects are sorted by when they were deleted. */
function queryRulesOf({ type, deleted }: Listing): QueryRules {
  const rules = type?.queryRules ?? mixedListRules;
  if (!deleted) return rules;
  const deletedDateTime = { ...dateRules, orderby: 'advanced' } as const;
  return { ...rules, properties: { ...rules.properties, deletedDateTime } };
}

function whereConditions(request: DirectoryRequest, listing: Listing): Fragment[] {
  const { options, directory } = request;
  const rules = queryRulesOf(listing);
  const unmaskedCondition = unmaskedConditionOf(request, listing);
  const mapping = withMaskedValues(
    sqlMappingOf(directory.sql.engine, listing.type, rules, listing.deleted),
    unmaskedCondition,
  );
  const wordsColumn = (property: string): Fragment =>
    maskExpression(searchColumnOf(property), unmaskedCondition);
  const { source } = listing;
  const where = source.where === undefined ? [] : [source.where];
  if (source.numbersTable !== undefined)
    where.push(numberInTableCondition(directory.sql.engine, source.numbersTable));
  if (options.filter) where.push(compileFilter(options.filter, mapping, rules.resource));
  if (options.search) where.push(compileSearch(options.search, rules, mapping, wordsColumn));
  return where;
}

/** The condition for objects whose values a query may use; undefined if it may use all. */
function unmaskedConditionOf(request: DirectoryRequest, listing: Listing): Fragment | undefined {
  return listing.masksUnreadable ? readableCondition(request) : undefined;
}

async function readPage(
  request: DirectoryRequest,
  listing: Listing,
  where: readonly Fragment[],
): Promise<Page> {
  const { options, directory } = request;
  const { source } = listing;
  const order = requestedOrder(request, listing) ?? indexOrder(request, listing);
  const limit = options.top ?? odataLimits.top.default;
  const pagingKey =
    source.pagingKey ?? (source.isWholeType ? pagingNumber(directory.sql.engine) : sql`o.number`);
  const pageConditions = [...where, ...afterPreviousPage(options, order, pagingKey)];
  const direction = order?.descending ? descending : ascending;
  const candidates = await directory.sql.query<ListedRow>(
    sql`${source.with ?? emptySql}
      select o.number, o.id, o.body${listing.type ? emptySql : typeColumn}${listing.deleted ? deletedAtColumn : emptySql}${order ? sql`, ${order.column} as sort` : emptySql}
      from ${source.from} ${pageConditions.length > 0 ? sql`where ${sql.join(pageConditions, sql` and `)}` : emptySql}
      order by ${order ? sql`${order.column} ${direction}, o.number ${direction}` : pagingKey} limit ${sql.lit(limit + 1)}`,
  );
  const rows = candidates.slice(0, limit);
  const last = rows.at(-1);
  if (candidates.length <= limit || last === undefined) return { rows };
  const sortKey = order ? [last.sort ?? null, last.number] : [last.number];
  return { rows, next: { $skiptoken: writePageToken(sortKey) } };
}

function requestedOrder(request: DirectoryRequest, listing: Listing): Order | undefined {
  const [key, secondKey] = request.options.orderby ?? [];
  if (secondKey) throw badRequest('Only one property can be sorted by.');
  const column = key && orderColumns[key.property];
  if (!column) return undefined;
  const unmaskedCondition = unmaskedConditionOf(request, listing);
  return {
    column: unmaskedCondition
      ? sql`coalesce(${maskExpression(column, unmaskedCondition)}, '')`
      : column,
    descending: key.descending,
  };
}

/** The order of the index that a filter uses; undefined if it uses none. */
function indexOrder({ directory, options }: DirectoryRequest, listing: Listing): Order | undefined {
  if (!listing.source.isWholeType || !options.filter) return undefined;
  const operand = rangeOperand(
    options.filter,
    sqlMappingOf(directory.sql.engine, listing.type, queryRulesOf(listing)),
  );
  return operand && { column: operand.expression, descending: false };
}

/** The condition for the rows after the previous page. */
function afterPreviousPage(
  options: QueryOptions,
  order: Order | undefined,
  pagingKey: Fragment,
): Fragment[] {
  if (options.skiptoken === undefined) return [];
  const position = decodeSkipToken(options.skiptoken, order ? 2 : 1);
  const lastNumber = position.at(-1);
  if (!isRowNumber(lastNumber) || (order && typeof position[0] !== 'string'))
    throw badRequest('Invalid $skiptoken: it was not given out for this query.');
  if (!order) return [sql`${pagingKey} > ${lastNumber}`];
  return [
    sql`(${order.column}, o.number) ${order.descending ? sql`<` : sql`>`} (${position[0] ?? null}, ${lastNumber})`,
  ];
}

function countRows(
  request: DirectoryRequest,
  listing: Listing,
  where: readonly Fragment[],
): Promise<number> {
  const { source } = listing;
  return request.directory.sql.count(
    sql`${source.with ?? emptySql} select count(*) as count from ${source.from} ${where.length > 0 ? sql`where ${sql.join(where, sql` and `)}` : emptySql}`,
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
