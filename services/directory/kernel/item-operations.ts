import type { Access } from '../authorization/access.js';
import { badRequest, objectNotFound } from '../http/errors.js';
import { textOf } from '../http/path.js';
import { created, noContent, ok, type Reply } from '../http/reply.js';
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
import type { Item } from '../store/items.js';
import type { Body } from '../store/objects.js';
import { ownProperties } from './references.js';

/** What items belong to: an object, or the tenant (whose id is empty). */
export interface ItemOwner {
  readonly id: string;
}

/** Things that aren't directory objects (settings, grants, credentials), of one object or of the tenant; what is left out, they don't have. */
export interface ItemOperations<Owner extends ItemOwner> {
  /** The path of their list, with `{id}` for what they belong to: `/applications/{id}/federatedIdentityCredentials`. */
  readonly path: string;
  /** What the store calls them. @default the last word of the path */
  readonly collection?: string;
  /** What follows `$metadata#`. @default the path with the owner's id */
  readonly context?: string;
  readonly read: Access;
  readonly write: Access;
  /** What they belong to. @default the tenant */
  readonly owner?: (request: DirectoryRequest) => Promise<Owner>;
  /** What queries may ask of the list. */
  readonly rules: QueryRules;
  /** Answers the list. @default {@link listItems} */
  readonly answer?: (request: DirectoryRequest, fragment: string, items: readonly Body[], rules: QueryRules) => Reply;
  /** All of them. @default what the store keeps */
  readonly list?: (request: DirectoryRequest, owner: Owner) => Promise<readonly Item[]>;
  /** One of them by its key. @default by its id */
  readonly find?: (request: DirectoryRequest, key: string, owner: Owner) => Promise<Item | undefined>;
  /** What an answer shows. @default the id and the stored properties */
  readonly present?: (item: Item, request: DirectoryRequest) => Body;
  /** Refuses what the caller may not change; inside the transaction, before each write. */
  readonly check?: (request: DirectoryRequest, owner: Owner) => Promise<void>;
  /** Stores a new one, inside the transaction. */
  readonly create?: (request: DirectoryRequest, values: Body, owner: Owner) => Promise<Item>;
  /** Stores a change, inside the transaction. Gives the item where the answer is to show it. */
  readonly change?: (request: DirectoryRequest, item: Item, values: Body, owner: Owner) => Promise<Item | undefined>;
  /** Removes one, inside the transaction; `stored` has it removed by the store alone. */
  readonly remove?: 'stored' | ((request: DirectoryRequest, item: Item, owner: Owner) => Promise<void>);
}

const tenant: ItemOwner = { id: '' };

/** Adds list, get, create, change and delete of items. */
export function itemOperations<Owner extends ItemOwner = ItemOwner>(router: Router, operations: ItemOperations<Owner>): void {
  const { path, read, write, check, create, change, remove, present = presentItem, answer = listItems } = operations;
  const collection = operations.collection ?? path.slice(path.lastIndexOf('/') + 1);
  const ownerOf = async (request: DirectoryRequest): Promise<Owner> => operations.owner?.(request) ?? (tenant as Owner);
  const contextOf = ({ id }: Owner): string => operations.context ?? path.slice(1).replace('/{id}', `('${id}')`);
  const find = async (request: DirectoryRequest, owner: Owner): Promise<Item> => {
    const key = textOf(request.key('item'));
    const { items } = request.directory;
    const item = operations.find
      ? await operations.find(request, key, owner)
      : ((await items.get(collection, owner.id, key)) ?? (await items.get(collection, owner.id, key.toLowerCase())));
    if (!item) throw objectNotFound(key);
    return item;
  };
  const entity = (request: DirectoryRequest, owner: Owner, item: Item): Body => ({
    ...request.context(`${contextOf(owner)}/$entity`),
    ...present(item, request),
  });
  /** Runs a write in one transaction, once the caller may do it. */
  const writing = <T>(request: DirectoryRequest, body: (owner: Owner) => Promise<T>): Promise<T> =>
    request.directory.sql.write(async () => {
      const owner = await ownerOf(request);
      await check?.(request, owner);
      return body(owner);
    });

  router.on('GET', path, read, async (request) => {
    const owner = await ownerOf(request);
    const items = operations.list ? await operations.list(request, owner) : await request.directory.items.list(collection, owner.id);
    return answer(
      request,
      contextOf(owner),
      items.map((item) => present(item, request)),
      operations.rules,
    );
  });
  router.on('GET', `${path}/{item}`, read, async (request) => {
    const owner = await ownerOf(request);
    const body = entity(request, owner, await find(request, owner));
    const { select } = request.options;
    return ok(select ? selectProperties(body, [...select, '@odata.context']) : body);
  });
  if (create)
    router.on('POST', path, write, async (request) => {
      const values = ownProperties(request.json());
      const [owner, item] = await writing(request, async (to) => [to, await create(request, values, to)] as const);
      return created(entity(request, owner, item), `${request.base}${path.replace('{id}', owner.id)}/${item.id}`);
    });
  if (change)
    router.on('PATCH', `${path}/{item}`, write, async (request) => {
      const values = ownProperties(request.json());
      return writing(request, async (owner) => {
        const item = await change(request, await find(request, owner), values, owner);
        return item ? ok(entity(request, owner, item)) : noContent;
      });
    });
  if (remove)
    router.on('DELETE', `${path}/{item}`, write, async (request) => {
      await writing(request, async (owner) => {
        const item = await find(request, owner);
        if (remove === 'stored') await request.directory.items.remove(collection, owner.id, item.id);
        else await remove(request, item, owner);
      });
      return noContent;
    });
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
  if (search ?? expand) throw badRequest(`$search and $expand are not supported on ${rules.resource}.`);
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
