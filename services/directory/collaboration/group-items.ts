import { randomUUID } from 'node:crypto';
import type { Access } from '../authorization/access.js';
import { findVisibleGroup } from '../groups/group-access.js';
import { isUnified } from '../groups/group-kinds.js';
import { badRequest, DirectoryError, itemNotFound, ok, type Reply } from '../http/answers.js';
import { selectProperties } from '../kernel/item-operations.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { compileFilterInMemory, parseFilter } from '../odata/index.js';
import type { Body, StoredObject } from '../store/objects.js';

const read = [
  'Group.Read.All',
  'Group.ReadWrite.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];
const write = ['Group.ReadWrite.All', 'Directory.ReadWrite.All'];

/** Who may read the items of a group. */
export const itemReadAccess: Access = { delegated: read, application: read };
/** Who may change them. */
export const itemWriteAccess: Access = { delegated: write, application: write };
/** Only signed-in users can use conversations. */
export const conversationReadAccess: Access = { delegated: read };
export const conversationWriteAccess: Access = { delegated: write };

/** The unified group of a path; other groups have no such items. @throws DirectoryError 404. */
export async function findUnifiedGroup(request: DirectoryRequest): Promise<StoredObject> {
  const group = await findVisibleGroup(request);
  if (isUnified(group.body)) return group;
  throw new DirectoryError(
    404,
    'ResourceNotFound',
    'Resource could not be discovered: only unified groups have it.',
  );
}

/** The `$metadata#` fragment of a group's items: `groups('id')/events`. */
export function itemsFragment(group: StoredObject, collection: string): string {
  return `groups('${group.id}')/${collection}`;
}

/** An item of a group in an answer. */
export function itemAnswer(
  request: DirectoryRequest,
  group: StoredObject,
  collection: string,
  body: Body,
): Body {
  return request.withContext(`${itemsFragment(group, collection)}/$entity`, body);
}

/** The common options of a unified group's items, for {@link itemOperations}. */
export const groupItemOptions = {
  read: itemReadAccess,
  write: itemWriteAccess,
  owner: findUnifiedGroup,
  notFound: itemNotFound,
  answerList: (request: DirectoryRequest, fragment: string, items: readonly Body[]) =>
    answerItems(request, fragment, items),
  select: selected,
};

/** Options of reading items. */
interface ReadingOptions {
  /** @default {@link itemReadAccess} */
  readonly access?: Access;
  /** Finds the group of the path. @default a unified one */
  readonly find?: (request: DirectoryRequest) => Promise<StoredObject>;
  /** The page size without `$top`. @default 100 */
  readonly pageSize?: number;
}

type Read<T> = (request: DirectoryRequest, group: StoredObject) => Promise<T> | T;

/** Serves one item of a group at each of the paths, with `$select`. */
export function serveOne(
  router: Router,
  paths: readonly string[],
  collection: string,
  read: Read<Body>,
  reading: ReadingOptions = {},
): void {
  for (const path of paths)
    router.on('GET', path, reading.access ?? itemReadAccess, async (request) => {
      const group = await (reading.find ?? findUnifiedGroup)(request);
      const item = await read(request, group);
      return ok(selected(itemAnswer(request, group, collection, item), request));
    });
}

/** Serves a list of a group's items at each of the paths, with the options of {@link answerItems}. */
export function serveList(
  router: Router,
  paths: readonly string[],
  collection: string,
  read: Read<readonly Body[]>,
  reading: ReadingOptions = {},
): void {
  for (const path of paths)
    router.on('GET', path, reading.access ?? itemReadAccess, async (request) => {
      const group = await (reading.find ?? findUnifiedGroup)(request);
      return answerItems(
        request,
        itemsFragment(group, collection),
        await read(request, group),
        reading.pageSize,
      );
    });
}

const maxPageSize = 999;

/**
 * Answers a list of a group's items with `$select`, `$filter`, `$orderby`, `$top`, `$skip` and `$count`.
 *
 * @param fragment the part after `$metadata#`.
 * @param pageSize the page size without `$top`.
 */
export function answerItems(
  request: DirectoryRequest,
  fragment: string,
  items: readonly Body[],
  pageSize = 100,
): Reply {
  const query = request.query;
  const option = (name: string): string | null => query.get(`$${name}`) ?? query.get(name);
  const wholeNumber = (name: string, absent: number, least: number, most: number): number => {
    const text = option(name);
    if (text === null) return absent;
    if (!/^\d{1,6}$/.test(text) || Number(text) < least || Number(text) > most)
      throw badRequest(`Invalid value for '$${name}'.`);
    return Number(text);
  };
  const top = wholeNumber('top', pageSize, 1, maxPageSize);
  const skip = wholeNumber('skip', 0, 0, 999_999);
  const filter = option('filter');
  const matching =
    filter === null ? items : items.filter(compileFilterInMemory(parseFilter(filter)));
  const ordering = order(matching, option('orderby'));
  const value = ordering.slice(skip, skip + top).map((item) => selected(item, request));
  return ok({
    ...request.withContext(fragment),
    ...(option('count') === 'true' && { '@odata.count': matching.length }),
    ...request.nextLink(ordering.length > skip + top ? { $skip: String(skip + top) } : undefined),
    value,
  });
}

/** The selected properties of an item, always with its id. */
function selected(item: Body, { query }: DirectoryRequest): Body {
  const names = (query.get('$select') ?? query.get('select'))
    ?.split(',')
    .map((name) => name.trim());
  if (names === undefined) return item;
  return selectProperties(item, [...names, 'id', '@odata.context']);
}

function order(items: readonly Body[], clause: string | null): readonly Body[] {
  if (clause === null) return items;
  const [path = '', direction = 'asc'] = clause.trim().split(/\s+/);
  const sign = direction.toLowerCase() === 'desc' ? -1 : 1;
  const key = (item: Body): string =>
    String(
      path
        .split('/')
        .reduce<unknown>((value, name) => (value as Body | null | undefined)?.[name], item) ?? '',
    );
  return [...items].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** An id in the form of mailbox items. */
export function mailboxId(): string {
  return `AAQk${Buffer.from(randomUUID()).toString('base64url')}`;
}

/** A new version (change key) of a mailbox item. */
export function changeKey(): string {
  return Buffer.from(randomUUID().slice(0, 18)).toString('base64');
}

/** The start of a post or an event, as lists return it. */
export function previewOf({ body }: Body): string {
  const { contentType = 'html', content = '' } = (body ?? {}) as {
    contentType?: unknown;
    content?: unknown;
  };
  const text =
    String(contentType).toLowerCase() === 'html'
      ? String(content).replace(/<[^>]{0,1000}>/g, ' ')
      : String(content);
  return text.replace(/\s+/g, ' ').trim().slice(0, 255);
}
