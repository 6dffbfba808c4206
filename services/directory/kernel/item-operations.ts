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
  compileFilterInMemory,
  decodeSkipToken,
  odataLimits,
  type OrderKey,
  type QueryRules,
} from '../odata/index.js';
import { textRules } from '../odata/property-rules.js';
import type { Item } from '../store/items.js';
import type { Body } from '../store/objects.js';
import { plainProperties } from './references.js';

/** The owner of items: an object, or the tenant (with an empty id). */
export interface ItemOwner {
  readonly id: string;
}

/**
 * Options for items that are not directory objects (settings, grants, credentials), of one object
 * or the tenant; absent operations are not served.
 */
export interface ItemOperations<Owner extends ItemOwner> {
  /**
   * The path of the list, with `{id}` for the owner:
   * `/applications/{id}/federatedIdentityCredentials`. Of several paths, the first one is
   * canonical.
   */
  readonly path: string | readonly string[];
  /** The collection in the store of items. @default the last segment of the path */
  readonly collection?: string;
  /** The `$metadata#` fragment. @default the path with the owner's id */
  readonly context?: string | ((owner: Owner) => string);
  readonly read: Access;
  /** Who may write the items. @default those who may read them */
  readonly write?: Access;
  /** Finds the owner of the items. @default the tenant */
  readonly owner?: (request: DirectoryRequest) => Promise<Owner>;
  /** The query rules of the list. @default none */
  readonly queryRules?: QueryRules;
  /** The page size without `$top`. @default 100 */
  readonly pageSize?: number;
  /** Answers the list. @default {@link listItems} */
  readonly answerList?: (
    request: DirectoryRequest,
    fragment: string,
    items: readonly Body[],
    rules: QueryRules,
    pageSize?: number,
  ) => Reply;
  /** Returns all items. @default those in the store */
  readonly list?: (
    request: DirectoryRequest,
    owner: Owner,
  ) => Promise<readonly Item[]> | readonly Item[];
  /** Applies `$select`. @default {@link selectProperties} */
  readonly select?: (body: Body, request: DirectoryRequest) => Body;
  /** Finds one item by its key. @default by its id */
  readonly find?: (
    request: DirectoryRequest,
    key: string,
    owner: Owner,
  ) => Promise<Item | undefined>;
  /** The item in an answer. @default the id and the stored properties */
  readonly present?: (item: Item, request: DirectoryRequest, owner: Owner) => Body | Promise<Body>;
  /**
   * Runs before each write, in the transaction: refuses what the caller may not write, or stores
   * what the write depends on.
   */
  readonly beforeWrite?: (request: DirectoryRequest, owner: Owner) => Promise<void>;
  /** Stores a new item, in the transaction. */
  readonly create?:
    ((request: DirectoryRequest, values: Body, owner: Owner) => Promise<NewItem>) | undefined;
  /**
   * Stores a change, in the transaction; the values have no id. Returns the item if the answer
   * contains it.
   */
  readonly change?:
    | ((request: DirectoryRequest, item: Item, values: Body, owner: Owner) => Promise<Item | void>)
    | undefined;
  /** PUT changes an item as PATCH does. @default PUT is not served */
  readonly allowPut?: true;
  /**
   * Whether items can be deleted. A function runs in the transaction: it deletes dependent data, or
   * refuses.
   */
  readonly remove?:
    boolean | ((request: DirectoryRequest, item: Item, owner: Owner) => Promise<unknown> | void);
  /** The answer for a missing item. @default {@link objectNotFound} */
  readonly notFound?: () => DirectoryError;
}

/** A new item. */
export interface NewItem extends Item {
  /** Values that only this answer contains, such as a temporary access pass. */
  readonly oneTime?: Body;
}

/** Adds the operations list, get, create, change and delete. */
export function addItemOperations<Owner extends ItemOwner = ItemOwner>(
  router: Router,
  operations: ItemOperations<Owner>,
): void {
  const { read, write = read, create, change, allowPut, remove } = operations;
  const handlers = new ItemHandlers(operations);
  for (const path of [operations.path].flat()) {
    const itemPath = `${path}/{item}`;
    router
      .on('GET', path, read, (request) => handlers.list(request))
      .on('GET', itemPath, read, (request) => handlers.get(request));
    if (create) router.on('POST', path, write, (request) => handlers.create(request, create));
    if (change)
      for (const method of allowPut ? ['PATCH', 'PUT'] : ['PATCH'])
        router.on(method, itemPath, write, (request) => handlers.change(request, change));
    if (remove) router.on('DELETE', itemPath, write, (request) => handlers.remove(request));
  }
}

/** Answers requests for a collection of items. */
class ItemHandlers<Owner extends ItemOwner> {
  readonly #path: string;
  readonly #collection: string;

  constructor(private readonly operations: ItemOperations<Owner>) {
    this.#path = [operations.path].flat()[0] ?? '';
    this.#collection = operations.collection ?? this.#path.slice(this.#path.lastIndexOf('/') + 1);
  }

  async list(request: DirectoryRequest): Promise<Reply> {
    const {
      present = presentItem,
      answerList = listItems,
      queryRules = textRules(this.#path.slice(1)),
      pageSize,
    } = this.operations;
    const owner = await this.#owner(request);
    const items = await this.#list(request, owner);
    const bodies = await Promise.all(items.map((item) => present(item, request, owner)));
    return answerList(request, this.#context(owner), bodies, queryRules, pageSize);
  }

  async get(request: DirectoryRequest): Promise<Reply> {
    const owner = await this.#owner(request);
    const body = await this.#entity(request, owner, await this.#find(request, owner));
    if (this.operations.select) return ok(this.operations.select(body, request));
    const { select } = request.options;
    return ok(select ? selectProperties(body, [...select, '@odata.context']) : body);
  }

  async create(
    request: DirectoryRequest,
    create: NonNullable<ItemOperations<Owner>['create']>,
  ): Promise<Reply> {
    const values = plainProperties(request.json());
    const [owner, item] = await this.#write(
      request,
      async (itemOwner) => [itemOwner, await create(request, values, itemOwner)] as const,
    );
    return created(
      await this.#entity(request, owner, item),
      `${request.base}${this.#path.replace('{id}', owner.id)}/${item.id}`,
    );
  }

  change(
    request: DirectoryRequest,
    change: NonNullable<ItemOperations<Owner>['change']>,
  ): Promise<Reply> {
    const { id, ...values } = plainProperties(request.json());
    return this.#write(request, async (owner) => {
      const item = await this.#find(request, owner);
      if (id !== undefined && id !== item.id)
        throw badRequest("The property 'id' is read-only and cannot be set.", 'id');
      const next = await change(request, item, values, owner);
      return next ? ok(await this.#entity(request, owner, next)) : noContent;
    });
  }

  remove(request: DirectoryRequest): Promise<Reply> {
    const { remove } = this.operations;
    return this.#write(request, async (owner) => {
      const item = await this.#find(request, owner);
      await request.directory.items.remove(this.#collection, owner.id, item.id);
      if (typeof remove === 'function') await remove(request, item, owner);
      return noContent;
    });
  }

  async #owner(request: DirectoryRequest): Promise<Owner> {
    return this.operations.owner?.(request) ?? ({ id: '' } as Owner);
  }

  #context(owner: Owner): string {
    const { context = this.#path.slice(1).replace('/{id}', `('${owner.id}')`) } = this.operations;
    return typeof context === 'string' ? context : context(owner);
  }

  async #list(request: DirectoryRequest, owner: Owner): Promise<readonly Item[]> {
    return (
      this.operations.list?.(request, owner) ??
      request.directory.items.list(this.#collection, owner.id)
    );
  }

  async #find(request: DirectoryRequest, owner: Owner): Promise<Item> {
    const { find, list, notFound } = this.operations;
    const key = pathKeyValue(request.key('item'));
    const getStored = async (id: string): Promise<Item | undefined> =>
      request.directory.items.get(this.#collection, owner.id, id);
    let item: Item | undefined;
    if (find) item = await find(request, key, owner);
    else if (list)
      item = (await list(request, owner)).find(({ id }) => id === key || id === key.toLowerCase());
    else item = (await getStored(key)) ?? (await getStored(key.toLowerCase()));
    if (!item) throw notFound?.() ?? objectNotFound(key);
    return item;
  }

  async #entity(request: DirectoryRequest, owner: Owner, item: NewItem): Promise<Body> {
    const { present = presentItem } = this.operations;
    return {
      ...request.withContext(
        `${this.#context(owner)}/$entity`,
        await present(item, request, owner),
      ),
      ...item.oneTime,
    };
  }

  /** Checks the caller and runs a write in one transaction. */
  #write<T>(request: DirectoryRequest, change: (owner: Owner) => Promise<T>): Promise<T> {
    return request.directory.sql.transaction(async () => {
      const owner = await this.#owner(request);
      await this.operations.beforeWrite?.(request, owner);
      return change(owner);
    });
  }
}

/** An item in an answer: its id and its stored properties. */
export function presentItem({ id, body }: Item): Body {
  return { id, ...body };
}

/**
 * Answers a list of items that are not directory objects (assignments, grants, role definitions):
 * `$filter` and `$orderby` as the rules allow, `$select`, `$top` with pages, `$count`.
 *
 * @param fragment the part after `$metadata#` in the context.
 * @param pageSize the page size without `$top`; 100 by default.
 * @throws DirectoryError 400 for other options.
 */
export function listItems(
  request: DirectoryRequest,
  fragment: string,
  items: readonly Body[],
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
  } = request.options;
  if (search ?? expand?.some(({ relationship }) => !rules.expand?.includes(relationship)))
    throw badRequest(`$search and $expand are not supported on ${rules.resource}.`);
  if (filter) checkFilter(filter, rules);
  const matching = sortItems(
    filter ? items.filter(compileFilterInMemory(filter)) : items,
    orderby,
    rules,
  );
  const start = skiptoken === undefined ? 0 : offsetOf(skiptoken);
  const page = matching.slice(start, start + top);
  const isCounted = count && request.eventual && start === 0;
  const next =
    start + top < matching.length ? { $skiptoken: writePageToken([start + top]) } : undefined;
  return ok({
    '@odata.context': `${request.base}/$metadata#${fragment}${select ? `(${select.join(',')})` : ''}`,
    ...(isCounted && { '@odata.count': matching.length }),
    ...request.nextLink(next),
    value: select ? page.map((item) => selectProperties(item, select)) : page,
  });
}

/**
 * Sorts items by `$orderby`; a descending order also reverses equal items.
 *
 * @throws DirectoryError 400.
 */
function sortItems(
  items: readonly Body[],
  [key, secondKey]: readonly OrderKey[] = [],
  rules: QueryRules,
): readonly Body[] {
  if (key === undefined) return items;
  const { property, descending } = key;
  if (
    secondKey !== undefined ||
    !Object.hasOwn(rules.properties, property) ||
    rules.properties[property]?.orderby === undefined
  )
    throw badRequest(
      `$orderby is not supported by '${(secondKey ?? key).property}' on ${rules.resource}.`,
    );
  const sortText = (item: Body): string => String(item[property] ?? '');
  const ascending = [...items].sort((a, b) =>
    sortText(a) < sortText(b) ? -1 : Number(sortText(a) > sortText(b)),
  );
  return descending ? ascending.reverse() : ascending;
}

/** The selected properties of an item. */
export function selectProperties(item: Body, select: readonly string[]): Body {
  return select.includes('*')
    ? item
    : Object.fromEntries(Object.entries(item).filter(([name]) => select.includes(name)));
}

function offsetOf(skiptoken: string): number {
  const [position] = decodeSkipToken(skiptoken, 1);
  if (typeof position === 'number' && Number.isSafeInteger(position) && position >= 0)
    return position;
  throw badRequest('Invalid $skiptoken: it was not given out for this query.');
}
