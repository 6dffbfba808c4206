import type { Access } from '../authorization/access.js';
import { writePageToken } from '../../common/page-token.js';
import {
  badRequest,
  created,
  type DirectoryError,
  noContent,
  objectNotFound,
  ok,
  type Reply,
} from '../http/answers.js';
import { pathKeyValue } from '../http/path.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import {
  checkFilter,
  filterPredicate,
  decodeSkipToken,
  type ExpandItem,
  odataLimits,
  type OrderKey,
  type QueryOptions,
  type QueryRules,
  withDeclaredNames,
} from '../odata/index.js';
import { textRules } from '../odata/property-rules.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import { plainProperties } from './references.js';

/** What records belong to: an object, another record, or the tenant (with an empty id). */
export interface RecordParent {
  readonly id: string;
}

/**
 * How to serve records (settings, grants, credentials: what is stored but is no directory object).
 * Absent operations are not served.
 */
export interface RecordOperations<Parent extends RecordParent> {
  /**
   * The path of the list, with `{id}` for the parent:
   * `/applications/{id}/federatedIdentityCredentials`. Of several paths, the first one is
   * canonical.
   */
  readonly path: string | readonly string[];
  /** The collection in the `RecordStore`. @default the last segment of the path */
  readonly collection?: string;
  /** The `$metadata#` fragment. @default the path with the parent's id */
  readonly context?: string | ((parent: Parent) => string);
  /** Who may read the records. */
  readonly read: Access;
  /** Who may write the records. @default those who may read them */
  readonly write?: Access;
  /** Finds the parent of the records. @default the tenant */
  readonly findParent?: (request: DirectoryRequest) => Promise<Parent>;
  /** The query rules of the list. @default none */
  readonly queryRules?: QueryRules;
  /** Reads what `$expand` names, by its name; the query rules list the names. @default none */
  readonly expansions?: Readonly<
    Record<string, (request: DirectoryRequest, body: Body, item: ExpandItem) => Promise<unknown>>
  >;
  /** The page size without `$top`. @default 100 */
  readonly pageSize?: number;
  /** Replies with the list. @default {@link recordListReply} */
  readonly replyWithList?: (
    request: DirectoryRequest,
    fragment: string,
    records: readonly Body[],
    rules: QueryRules,
    pageSize?: number,
  ) => Reply;
  /** Returns all records. @default those in the store */
  readonly list?: (
    request: DirectoryRequest,
    parent: Parent,
  ) => Promise<readonly StoredRecord[]> | readonly StoredRecord[];
  /** Applies `$select`. @default {@link selectProperties} */
  readonly applySelect?: (body: Body, request: DirectoryRequest) => Body;
  /** Finds one record by its key. @default by its id */
  readonly find?: (
    request: DirectoryRequest,
    key: string,
    parent: Parent,
  ) => Promise<StoredRecord | undefined>;
  /** The record in an answer. @default the id and the stored properties */
  readonly present?: (
    record: StoredRecord,
    request: DirectoryRequest,
    parent: Parent,
  ) => Body | Promise<Body>;
  /**
   * Runs before each write, in the transaction: refuses what the caller may not write, or stores
   * what the write depends on.
   */
  readonly beforeWrite?: (request: DirectoryRequest, parent: Parent) => Promise<void>;
  /** Stores a new record, in the transaction. */
  readonly create?:
    ((request: DirectoryRequest, values: Body, parent: Parent) => Promise<NewRecord>) | undefined;
  /**
   * The alternate key by which a PATCH with `Prefer: create-if-missing` creates a record.
   *
   * @default none
   */
  readonly upsertKey?: string;
  /**
   * Stores a change, in the transaction; the values have no id. Returns the record if the answer
   * contains it.
   */
  readonly change?:
    | ((
        request: DirectoryRequest,
        record: StoredRecord,
        values: Body,
        parent: Parent,
      ) => Promise<StoredRecord | void>)
    | undefined;
  /** PUT changes a record as PATCH does. @default PUT is not served */
  readonly allowPut?: true;
  /** Records can be deleted. @default DELETE is served only where there is `onRemove` */
  readonly allowRemove?: true;
  /** Runs after a deletion, in its transaction: deletes dependent data, or refuses. */
  readonly onRemove?:
    | ((request: DirectoryRequest, record: StoredRecord, parent: Parent) => Promise<unknown> | void)
    | undefined;
  /** The answer for a missing record. @default {@link objectNotFound} */
  readonly notFound?: () => DirectoryError;
}

/** A new record. */
export interface NewRecord extends StoredRecord {
  /** Values that only this answer contains, such as a temporary access pass. */
  readonly onlyInAnswer?: Body;
}

/** Adds the operations list, get, create, change and delete. */
export function addRecordOperations<Parent extends RecordParent = RecordParent>(
  router: Router,
  operations: RecordOperations<Parent>,
): void {
  const { read, write = read, create, change, allowPut, allowRemove, onRemove } = operations;
  const handlers = new RecordHandlers(operations);
  for (const path of [operations.path].flat()) {
    const recordPath = `${path}/{record}`;
    router
      .on('GET', path, read, (request) => handlers.list(request))
      .on('GET', recordPath, read, (request) => handlers.get(request));
    if (create) router.on('POST', path, write, (request) => handlers.create(request, create));
    if (change)
      for (const method of allowPut ? ['PATCH', 'PUT'] : ['PATCH'])
        router.on(method, recordPath, write, (request) => handlers.change(request, change));
    if (allowRemove || onRemove)
      router.on('DELETE', recordPath, write, (request) => handlers.remove(request));
  }
}

/** Answers requests for a collection of records. */
class RecordHandlers<Parent extends RecordParent> {
  readonly #path: string;
  readonly #collection: string;

  constructor(private readonly operations: RecordOperations<Parent>) {
    this.#path = [operations.path].flat()[0] ?? '';
    this.#collection = operations.collection ?? this.#path.slice(this.#path.lastIndexOf('/') + 1);
  }

  async list(request: DirectoryRequest): Promise<Reply> {
    const {
      replyWithList = recordListReply,
      queryRules = textRules(this.#path.slice(1)),
      pageSize,
    } = this.operations;
    const parent = await this.#findParent(request);
    const records = await this.#listRecords(request, parent);
    const bodies = await Promise.all(
      records.map((record) => this.#presentExpanded(record, request, parent)),
    );
    return replyWithList(request, this.#context(parent), bodies, queryRules, pageSize);
  }

  async get(request: DirectoryRequest): Promise<Reply> {
    const parent = await this.#findParent(request);
    const { expand = [] } = request.options;
    const { expansions } = this.operations;
    const unknown = expand.find(
      ({ relationship }) => !Object.hasOwn(expansions ?? {}, relationship),
    );
    if (expansions && unknown) throw badRequest(`'${unknown.relationship}' cannot be expanded.`);
    const record = await this.#requireRecord(request, parent);
    const body = request.withContext(
      `${this.#context(parent)}/$entity`,
      await this.#presentExpanded(record, request, parent),
    );
    if (this.operations.applySelect) return ok(this.operations.applySelect(body, request));
    const { select } = normalizePropertyCase(request, body);
    return ok(
      select
        ? selectProperties(body, [...select, ...expandedNames(expand), '@odata.context'])
        : body,
    );
  }

  create(
    request: DirectoryRequest,
    create: NonNullable<RecordOperations<Parent>['create']>,
  ): Promise<Reply> {
    const values = plainProperties(request.json());
    return this.#write(request, (parent) => this.#createRecord(request, values, parent, create));
  }

  change(
    request: DirectoryRequest,
    change: NonNullable<RecordOperations<Parent>['change']>,
  ): Promise<Reply> {
    const { id, ...values } = plainProperties(request.json());
    const { create, upsertKey } = this.operations;
    const key = request.key('record');
    return this.#write(request, async (parent) => {
      const isUpsert =
        create && request.createsIfMissing && typeof key !== 'string' && key.property === upsertKey;
      if (isUpsert && !(await this.#findRecord(request, parent)))
        return this.#createRecord(
          request,
          { ...values, [key.property]: key.value },
          parent,
          create,
        );
      const record = await this.#requireRecord(request, parent);
      if (id !== undefined && id !== record.id)
        throw badRequest("The property 'id' is read-only and cannot be set.", 'id');
      const next = await change(request, record, values, parent);
      return next ? ok(await this.#entityBody(request, parent, next)) : noContent;
    });
  }

  remove(request: DirectoryRequest): Promise<Reply> {
    const { onRemove } = this.operations;
    return this.#write(request, async (parent) => {
      const record = await this.#requireRecord(request, parent);
      await request.directory.records.remove(this.#collection, parent.id, record.id);
      await onRemove?.(request, record, parent);
      return noContent;
    });
  }

  async #findParent(request: DirectoryRequest): Promise<Parent> {
    return this.operations.findParent?.(request) ?? ({ id: '' } as Parent);
  }

  #context(parent: Parent): string {
    const { context = this.#path.slice(1).replace('/{id}', `('${parent.id}')`) } = this.operations;
    return typeof context === 'string' ? context : context(parent);
  }

  async #listRecords(request: DirectoryRequest, parent: Parent): Promise<readonly StoredRecord[]> {
    return (
      this.operations.list?.(request, parent) ??
      request.directory.records.list(this.#collection, parent.id)
    );
  }

  async #createRecord(
    request: DirectoryRequest,
    values: Body,
    parent: Parent,
    create: NonNullable<RecordOperations<Parent>['create']>,
  ): Promise<Reply> {
    const record = await create(request, values, parent);
    return created(
      await this.#entityBody(request, parent, record),
      `${request.base}${this.#path.replace('{id}', parent.id)}/${record.id}`,
    );
  }

  /** The record of the path. @throws DirectoryError 404. */
  async #requireRecord(request: DirectoryRequest, parent: Parent): Promise<StoredRecord> {
    const record = await this.#findRecord(request, parent);
    if (record) return record;
    throw this.operations.notFound?.() ?? objectNotFound(pathKeyValue(request.key('record')));
  }

  async #findRecord(request: DirectoryRequest, parent: Parent): Promise<StoredRecord | undefined> {
    const { find, list } = this.operations;
    const key = pathKeyValue(request.key('record'));
    const getStored = async (id: string): Promise<StoredRecord | undefined> =>
      request.directory.records.get(this.#collection, parent.id, id);
    if (find) return find(request, key, parent);
    if (list)
      return (await list(request, parent)).find(({ id }) => id === key || id === key.toLowerCase());
    return (await getStored(key)) ?? (await getStored(key.toLowerCase()));
  }

  async #entityBody(request: DirectoryRequest, parent: Parent, record: NewRecord): Promise<Body> {
    const { present = presentRecord } = this.operations;
    return {
      ...request.withContext(
        `${this.#context(parent)}/$entity`,
        await present(record, request, parent),
      ),
      ...record.onlyInAnswer,
    };
  }

  /** The record in an answer, with what `$expand` names. */
  async #presentExpanded(
    record: StoredRecord,
    request: DirectoryRequest,
    parent: Parent,
  ): Promise<Body> {
    const { present = presentRecord, expansions = {} } = this.operations;
    const body = { ...(await present(record, request, parent)) };
    for (const item of request.options.expand ?? [])
      if (Object.hasOwn(expansions, item.relationship))
        body[item.relationship] = await expansions[item.relationship]?.(request, body, item);
    return body;
  }

  /** Checks the caller and runs a write in one transaction. */
  #write<T>(request: DirectoryRequest, change: (parent: Parent) => Promise<T>): Promise<T> {
    return request.directory.sql.transaction(async () => {
      const parent = await this.#findParent(request);
      await this.operations.beforeWrite?.(request, parent);
      return change(parent);
    });
  }
}

/** A record in an answer: its id and its stored properties. */
export function presentRecord({ id, body }: StoredRecord): Body {
  return { id, ...body };
}

/**
 * Replies with a list of records (assignments, grants, role definitions): `$filter` and `$orderby`
 * as the rules allow, `$select`, `$top` with pages, `$count`.
 *
 * @param fragment the part after `$metadata#` in the context.
 * @param pageSize the page size without `$top`; 100 by default.
 * @throws DirectoryError 400 for other options.
 */
export function recordListReply(
  request: DirectoryRequest,
  fragment: string,
  bodies: readonly Body[],
  rules: QueryRules,
  pageSize: number = odataLimits.top.default,
): Reply {
  const {
    filter,
    select,
    top = pageSize,
    skiptoken,
    search,
    orderby,
    expand,
    count,
  } = normalizePropertyCase(request, { ...rules.properties, ...bodies[0] });
  if (search ?? expand?.some(({ relationship }) => !rules.expand?.includes(relationship)))
    throw badRequest(`$search and $expand are not supported on ${rules.resource}.`);
  if (filter) checkFilter(filter, rules);
  const matching = sortBodies(
    filter ? bodies.filter(filterPredicate(filter)) : bodies,
    orderby,
    rules,
  );
  const start = skiptoken === undefined ? 0 : offsetOf(skiptoken);
  const page = matching.slice(start, start + top);
  const isCounted = count && request.isEventual && start === 0;
  const next =
    start + top < matching.length ? { $skiptoken: writePageToken([start + top]) } : undefined;
  return ok({
    '@odata.context': `${request.base}/$metadata#${fragment}${select ? `(${select.join(',')})` : ''}`,
    ...(isCounted && { '@odata.count': matching.length }),
    ...request.nextLink(next),
    value: select
      ? page.map((body) => selectProperties(body, [...select, ...expandedNames(expand)]))
      : page,
  });
}

/**
 * The query options of a request for records. The azure dialect takes names of properties in any
 * letter case, and no object type declares those of records: they come from a record.
 *
 * @param properties an object with the properties of such records.
 */
function normalizePropertyCase(
  { options, directory }: DirectoryRequest,
  properties: object,
): QueryOptions {
  if (directory.dialect !== 'azure') return options;
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  return withDeclaredNames(options, (name) => names.get(name.toLowerCase()) ?? name);
}

/**
 * Sorts bodies by `$orderby`; a descending order also reverses equal bodies.
 *
 * @throws DirectoryError 400.
 */
function sortBodies(
  bodies: readonly Body[],
  [key, secondKey]: readonly OrderKey[] = [],
  rules: QueryRules,
): readonly Body[] {
  if (key === undefined) return bodies;
  const { property, descending } = key;
  if (
    secondKey !== undefined ||
    !Object.hasOwn(rules.properties, property) ||
    rules.properties[property]?.orderby === undefined
  )
    throw badRequest(
      `$orderby is not supported by '${(secondKey ?? key).property}' on ${rules.resource}.`,
    );
  const sortText = (body: Body): string => String(body[property] ?? '');
  const ascending = [...bodies].sort((a, b) =>
    sortText(a) < sortText(b) ? -1 : Number(sortText(a) > sortText(b)),
  );
  return descending ? ascending.reverse() : ascending;
}

/** The selected properties of a body. */
export function selectProperties(body: Body, select: readonly string[]): Body {
  return select.includes('*')
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => select.includes(name)));
}

/** The properties that `$expand` adds to those of `$select`. */
function expandedNames(expand: readonly ExpandItem[] = []): string[] {
  return expand.map(({ relationship }) => relationship).filter((name) => name !== '*');
}

function offsetOf(skiptoken: string): number {
  const [position] = decodeSkipToken(skiptoken, 1);
  if (typeof position === 'number' && Number.isSafeInteger(position) && position >= 0)
    return position;
  throw badRequest('Invalid $skiptoken: it was not given out for this query.');
}
