import type { Access } from '../authorization/access.js';
import { badRequest, created, type DirectoryError, noContent, objectNotFound, ok, type Reply } from '../http/answers.js';
import { textOf } from '../http/path.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import {
  checkFilter,
  compileFilterInMemory,
  decodeSkipToken,
  encodeSkipToken,
  nextLink,
  odataLimits,
  type OrderKey,
  type QueryRules,
} from '../odata/index.js';
import { textRules } from '../odata/property-rules.js';
import type { Item } from '../store/items.js';
import type { Body } from '../store/objects.js';
import { ownProperties } from './references.js';

/** What items belong to: an object, or the tenant (whose id is empty). */
export interface ItemOwner {
  readonly id: string;
}

/** Things that aren't directory objects (settings, grants, credentials), of one object or of the tenant; what is left out, they don't have. */
export interface ItemOperations<Owner extends ItemOwner> {
  /**
   * The path of their list, with `{id}` for what they belong to: `/applications/{id}/federatedIdentityCredentials`. Where there are several,
   * the first is their address.
   */
  readonly path: string | readonly string[];
  /** What the store calls them. @default the last word of the path */
  readonly collection?: string;
  /** What follows `$metadata#`. @default the path with the owner's id */
  readonly context?: string | ((owner: Owner) => string);
  readonly read: Access;
  /** Who may change them. @default those who may read them */
  readonly write?: Access;
  /** What they belong to. @default the tenant */
  readonly owner?: (request: DirectoryRequest) => Promise<Owner>;
  /** What queries may ask of the list. @default nothing */
  readonly rules?: QueryRules;
  /** How many make a page without `$top`. @default 100 */
  readonly pageSize?: number;
  /** Answers the list. @default {@link listItems} */
  readonly answer?: (request: DirectoryRequest, fragment: string, items: readonly Body[], rules: QueryRules, pageSize?: number) => Reply;
  /** All of them. @default what the store keeps */
  readonly list?: (request: DirectoryRequest, owner: Owner) => Promise<readonly Item[]> | readonly Item[];
  /** What `$select` leaves of one of them. @default {@link selectProperties} */
  readonly select?: (body: Body, request: DirectoryRequest) => Body;
  /** One of them by its key. @default by its id */
  readonly find?: (request: DirectoryRequest, key: string, owner: Owner) => Promise<Item | undefined>;
  /** What an answer shows. @default the id and the stored properties */
  readonly present?: (item: Item, request: DirectoryRequest, owner: Owner) => Body | Promise<Body>;
  /** Refuses what the caller may not change; inside the transaction, before each write. */
  readonly check?: (request: DirectoryRequest, owner: Owner) => Promise<void>;
  /** Stores a new one, inside the transaction. */
  readonly create?: ((request: DirectoryRequest, values: Body, owner: Owner) => Promise<NewItem>) | undefined;
  /** Stores a change, inside the transaction; the values are without the id. Gives the item where the answer is to show it. */
  readonly change?: ((request: DirectoryRequest, item: Item, values: Body, owner: Owner) => Promise<Item | void>) | undefined;
  /** Whether PUT changes one, too. */
  readonly puts?: true;
  /** Whether they can be removed. A function, inside the transaction, removes what goes with one, or refuses. */
  readonly remove?: boolean | ((request: DirectoryRequest, item: Item, owner: Owner) => Promise<unknown> | void);
  /** The answer for one that isn't there. @default {@link objectNotFound} */
  readonly missing?: () => DirectoryError;
}

/** An item that was just made. */
export interface NewItem extends Item {
  /** What the answer shows this once besides the item, such as the text of a pass. */
  readonly shown?: Body;
}

const tenant: ItemOwner = { id: '' };

/** Adds list, get, create, change and delete of items. */
export function itemOperations<Owner extends ItemOwner = ItemOwner>(router: Router, operations: ItemOperations<Owner>): void {
  const { read, write = read, check, create, change, remove, list, present = presentItem, answer = listItems } = operations;
  const paths = [operations.path].flat();
  const [path = ''] = paths;
  const { collection = path.slice(path.lastIndexOf('/') + 1), rules = textRules(path.slice(1)) } = operations;
  const ownerOf = async (request: DirectoryRequest): Promise<Owner> => operations.owner?.(request) ?? (tenant as Owner);
  const { context = ({ id }: Owner): string => path.slice(1).replace('/{id}', `('${id}')`) } = operations;
  const contextOf = (owner: Owner): string => (typeof context === 'string' ? context : context(owner));
  const all = (request: DirectoryRequest, owner: Owner): Promise<readonly Item[]> | readonly Item[] =>
    list ? list(request, owner) : request.directory.items.list(collection, owner.id);
  const find = async (request: DirectoryRequest, owner: Owner): Promise<Item> => {
    const key = textOf(request.key('item'));
    const { items } = request.directory;
    const item = operations.find
      ? await operations.find(request, key, owner)
      : list
        ? (await list(request, owner)).find(({ id }) => id === key || id === key.toLowerCase())
        : ((await items.get(collection, owner.id, key)) ?? (await items.get(collection, owner.id, key.toLowerCase())));
    if (!item) throw operations.missing?.() ?? objectNotFound(key);
    return item;
  };
  const entity = async (request: DirectoryRequest, owner: Owner, item: NewItem): Promise<Body> => ({
    ...request.context(`${contextOf(owner)}/$entity`),
    ...(await present(item, request, owner)),
    ...item.shown,
  });
  /** Runs a write in one transaction, once the caller may do it. */
  const writing = <T>(request: DirectoryRequest, body: (owner: Owner) => Promise<T>): Promise<T> =>
    request.directory.sql.write(async () => {
      const owner = await ownerOf(request);
      await check?.(request, owner);
      return body(owner);
    });

  const showList = async (request: DirectoryRequest): Promise<Reply> => {
    const owner = await ownerOf(request);
    const items = await all(request, owner);
    return answer(
      request,
      contextOf(owner),
      await Promise.all(items.map((item) => present(item, request, owner))),
      rules,
      operations.pageSize,
    );
  };
  const showOne = async (request: DirectoryRequest): Promise<Reply> => {
    const owner = await ownerOf(request);
    const body = await entity(request, owner, await find(request, owner));
    if (operations.select) return ok(operations.select(body, request));
    const { select } = request.options;
    return ok(select ? selectProperties(body, [...select, '@odata.context']) : body);
  };
  const createOne = async (request: DirectoryRequest): Promise<Reply> => {
    const values = ownProperties(request.json());
    const [owner, item] = await writing(request, async (to) => [to, (await create?.(request, values, to)) as NewItem] as const);
    return created(await entity(request, owner, item), `${request.base}${path.replace('{id}', owner.id)}/${item.id}`);
  };
  const changeOne = (request: DirectoryRequest): Promise<Reply> => {
    const { id, ...values } = ownProperties(request.json());
    return writing(request, async (owner) => {
      const item = await find(request, owner);
      if (id !== undefined && id !== item.id) throw badRequest("The property 'id' is read-only and cannot be set.", 'id');
      const changed = await change?.(request, item, values, owner);
      return changed ? ok(await entity(request, owner, changed)) : noContent;
    });
  };
  const removeOne = (request: DirectoryRequest): Promise<Reply> =>
    writing(request, async (owner) => {
      const item = await find(request, owner);
      await request.directory.items.remove(collection, owner.id, item.id);
      if (typeof remove === 'function') await remove(request, item, owner);
      return noContent;
    });
  for (const each of paths) {
    router.on('GET', each, read, showList).on('GET', `${each}/{item}`, read, showOne);
    if (create) router.on('POST', each, write, createOne);
    if (change) for (const method of operations.puts ? ['PATCH', 'PUT'] : ['PATCH']) router.on(method, `${each}/{item}`, write, changeOne);
    if (remove) router.on('DELETE', `${each}/{item}`, write, removeOne);
  }
}

/** An item as answers show it: its id and what is stored. */
export function presentItem({ id, body }: Item): Body {
  return { id, ...body };
}

/**
 * Answers a list of things that aren't directory objects (assignments, grants, role definitions): `$filter` and `$orderby` by the
 * rules, `$select`, `$top` with pages, `$count`.
 *
 * @param fragment what follows `$metadata#` in the context.
 * @param pageSize without `$top`. @default 100
 * @throws DirectoryError 400 for other options.
 */
export function listItems(
  request: DirectoryRequest,
  fragment: string,
  items: readonly Body[],
  rules: QueryRules,
  pageSize: number = odataLimits.top.default,
): Reply {
  const { filter, select, top = pageSize, skiptoken, search, orderby, expand, count } = request.options;
  if (search ?? expand?.some(({ relationship }) => !rules.expand?.includes(relationship)))
    throw badRequest(`$search and $expand are not supported on ${rules.resource}.`);
  if (filter) checkFilter(filter, rules);
  const matching = sorted(filter ? items.filter(compileFilterInMemory(filter)) : items, orderby, rules);
  const start = skiptoken === undefined ? 0 : positionIn(skiptoken);
  const page = matching.slice(start, start + top);
  const more = start + top < matching.length;
  return ok({
    '@odata.context': `${request.base}/$metadata#${fragment}${select ? `(${select.join(',')})` : ''}`,
    ...(count && request.eventual && start === 0 && { '@odata.count': matching.length }),
    ...(more && { '@odata.nextLink': nextLink(request.url, encodeSkipToken([start + top])) }),
    value: select ? page.map((item) => selectProperties(item, select)) : page,
  });
}

/** Items in the order of `$orderby`, the later of equals first where it descends. @throws DirectoryError 400. */
function sorted(items: readonly Body[], [key, more]: readonly OrderKey[] = [], rules: QueryRules): readonly Body[] {
  if (key === undefined) return items;
  const { property, descending } = key;
  if (more !== undefined || !Object.hasOwn(rules.properties, property) || rules.properties[property]?.orderby === undefined)
    throw badRequest(`$orderby is not supported by '${(more ?? key).property}' on ${rules.resource}.`);
  const textIn = (item: Body): string => String(item[property] ?? '');
  const ascending = [...items].sort((a, b) => (textIn(a) < textIn(b) ? -1 : Number(textIn(a) > textIn(b))));
  return descending ? ascending.reverse() : ascending;
}

/** Of a thing what `$select` names. */
export function selectProperties(item: Body, select: readonly string[]): Body {
  return select.includes('*') ? item : Object.fromEntries(Object.entries(item).filter(([name]) => select.includes(name)));
}

function positionIn(skiptoken: string): number {
  const [position] = decodeSkipToken(skiptoken, 1);
  if (typeof position === 'number' && Number.isSafeInteger(position) && position >= 0) return position;
  throw badRequest('Invalid $skiptoken: it was not given out for this query.');
}
