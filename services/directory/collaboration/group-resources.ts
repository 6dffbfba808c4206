import { randomUUID } from 'node:crypto';
import { type Access, hasRole } from '../authorization/access.js';
import { groupWriterRoles } from '../authorization/directory-roles.js';
import { callerObject, findVisibleGroup } from '../groups/group-access.js';
import { isUnified } from '../groups/group-kinds.js';
import {
  badRequest,
  DirectoryError,
  insufficientPrivileges,
  itemNotFound,
  ok,
  type Reply,
} from '../http/answers.js';
import { type RecordOperations, selectProperties } from '../kernel/record-operations.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { filterPredicate, parseFilter } from '../odata/index.js';
import type { Body, StoredObject } from '../store/objects.js';

const readPermissions = [
  'Group.Read.All',
  'Group.ReadWrite.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];
const writePermissions = ['Group.ReadWrite.All', 'Directory.ReadWrite.All'];

/** Who may read the resources that the members of a group share. */
export const resourceReadAccess: Access = {
  delegated: readPermissions,
  application: readPermissions,
};
/** Who may change the resources that the members of a group share. */
export const resourceWriteAccess: Access = {
  delegated: writePermissions,
  application: writePermissions,
};
/** Who may read conversations: signed-in users only. */
export const conversationReadAccess: Access = { delegated: readPermissions };
/** Who may write conversations: signed-in users only. */
export const conversationWriteAccess: Access = { delegated: writePermissions };

/** The unified group of a path; other groups have no such resources. @throws DirectoryError 404. */
export async function findUnifiedGroup(request: DirectoryRequest): Promise<StoredObject> {
  return requireUnified(await findVisibleGroup(request));
}

/** The group if it is a unified one. @throws DirectoryError 404 for another. */
export function requireUnified(group: StoredObject): StoredObject {
  if (isUnified(group.body)) return group;
  throw new DirectoryError(
    404,
    'ResourceNotFound',
    'Resource could not be discovered: only unified groups have it.',
  );
}

/**
 * The unified group of a path, if the caller may write what its members share: a member, an owner,
 * someone with a role that may write groups, or an application.
 *
 * @throws DirectoryError 403, 404.
 */
export async function findWritableUnifiedGroup(request: DirectoryRequest): Promise<StoredObject> {
  const group = await findUnifiedGroup(request);
  await requireContentWriter(request, group);
  return group;
}

/** @throws DirectoryError 403 for a caller who may not write what the members of a group share. */
export async function requireContentWriter(
  request: DirectoryRequest,
  group: StoredObject,
): Promise<void> {
  if (request.caller.kind !== 'user' || hasRole(request.caller, ...groupWriterRoles)) return;
  const self = await callerObject(request);
  const { links } = request.directory;
  for (const relation of ['members', 'owners'] as const)
    if (self && (await links.has(group, relation, self))) return;
  throw insufficientPrivileges(
    'only members and owners of the group, and those with a role that may write groups, write what its members share',
  );
}

/** The `$metadata#` fragment of a group's resources: `groups('id')/events`. */
export function resourceFragment(group: StoredObject, collection: string): string {
  return `groups('${group.id}')/${collection}`;
}

/** The body of an answer with one resource of a group. */
export function resourceBody(
  request: DirectoryRequest,
  group: StoredObject,
  collection: string,
  body: Body,
): Body {
  return request.withContext(`${resourceFragment(group, collection)}/$entity`, body);
}

/** The common options of a unified group's records, for {@link addRecordOperations}. */
export const groupRecordOptions = {
  read: resourceReadAccess,
  write: resourceWriteAccess,
  findParent: findUnifiedGroup,
  notFound: itemNotFound,
  replyWithList: (request: DirectoryRequest, fragment: string, resources: readonly Body[]) =>
    resourceListReply(request, fragment, resources),
  applySelect: selectWithId,
} satisfies Partial<RecordOperations<StoredObject>>;

/** Options of reading resources. */
interface ReadOptions {
  /** @default {@link resourceReadAccess} */
  readonly access?: Access;
  /** Finds the group of the path. @default a unified one */
  readonly find?: (request: DirectoryRequest) => Promise<StoredObject>;
  /** The page size without `$top`. @default 100 */
  readonly pageSize?: number;
}

type ReadResource<T> = (request: DirectoryRequest, group: StoredObject) => Promise<T> | T;

/** Adds the reading of one resource of a group at each of the paths, with `$select`. */
export function addResourceRoutes(
  router: Router,
  paths: readonly string[],
  collection: string,
  read: ReadResource<Body>,
  options: ReadOptions = {},
): void {
  for (const path of paths)
    router.on('GET', path, options.access ?? resourceReadAccess, async (request) => {
      const group = await (options.find ?? findUnifiedGroup)(request);
      const resource = await read(request, group);
      return ok(selectWithId(resourceBody(request, group, collection, resource), request));
    });
}

/**
 * Adds the reading of a list of a group's resources at each of the paths, with the options of
 * {@link resourceListReply}.
 */
export function addResourceListRoutes(
  router: Router,
  paths: readonly string[],
  collection: string,
  read: ReadResource<readonly Body[]>,
  options: ReadOptions = {},
): void {
  for (const path of paths)
    router.on('GET', path, options.access ?? resourceReadAccess, async (request) => {
      const group = await (options.find ?? findUnifiedGroup)(request);
      return resourceListReply(
        request,
        resourceFragment(group, collection),
        await read(request, group),
        options.pageSize,
      );
    });
}

const maxPageSize = 999;
const maxSkip = 999_999;
/** The length of a preview in characters. */
const previewLength = 255;

/**
 * Replies with a list of a group's resources, with `$select`, `$filter`, `$orderby`, `$top`,
 * `$skip` and `$count`.
 *
 * @param fragment the part after `$metadata#`.
 * @param pageSize the page size without `$top`.
 */
export function resourceListReply(
  request: DirectoryRequest,
  fragment: string,
  resources: readonly Body[],
  pageSize = 100,
): Reply {
  const query = request.query;
  const option = (name: string): string | null => query.get(`$${name}`) ?? query.get(name);
  const integerOption = (
    name: string,
    defaultValue: number,
    minimum: number,
    maximum: number,
  ): number => {
    const text = option(name);
    if (text === null) return defaultValue;
    if (!/^\d{1,6}$/.test(text) || Number(text) < minimum || Number(text) > maximum)
      throw badRequest(
        `Invalid value for '$${name}': it must be an integer from ${minimum} to ${maximum}.`,
      );
    return Number(text);
  };
  const top = integerOption('top', pageSize, 1, maxPageSize);
  const skip = integerOption('skip', 0, 0, maxSkip);
  const filter = option('filter');
  const matching =
    filter === null ? resources : resources.filter(filterPredicate(parseFilter(filter)));
  const sorted = sortByClause(matching, option('orderby'));
  const value = sorted.slice(skip, skip + top).map((resource) => selectWithId(resource, request));
  return ok({
    ...request.withContext(fragment),
    ...(option('count') === 'true' && { '@odata.count': matching.length }),
    ...request.nextLink(sorted.length > skip + top ? { $skip: String(skip + top) } : undefined),
    value,
  });
}

/** The selected properties of a resource, always with its id. */
function selectWithId(resource: Body, { query }: DirectoryRequest): Body {
  const names = (query.get('$select') ?? query.get('select'))
    ?.split(',')
    .map((name) => name.trim());
  if (names === undefined) return resource;
  return selectProperties(resource, [...names, 'id', '@odata.context']);
}

function sortByClause(resources: readonly Body[], clause: string | null): readonly Body[] {
  if (clause === null) return resources;
  const [path = '', direction = 'asc'] = clause.trim().split(/\s+/);
  const sign = direction.toLowerCase() === 'desc' ? -1 : 1;
  const key = (resource: Body): string =>
    String(
      path
        .split('/')
        .reduce<unknown>((value, name) => (value as Body | null | undefined)?.[name], resource) ??
        '',
    );
  const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return [...resources].sort((a, b) => sign * compare(key(a), key(b)));
}

/** A new id in the form of those in a mailbox. */
export function newMailboxId(): string {
  return `AAQk${Buffer.from(randomUUID()).toString('base64url')}`;
}

/** A new version (change key) of an event or a post. */
export function newChangeKey(): string {
  return Buffer.from(randomUUID().slice(0, 18)).toString('base64');
}

/** The start of the text of a post or an event, without HTML tags. */
export function previewOf({ body }: Body): string {
  const { contentType = 'html', content = '' } = (body ?? {}) as {
    contentType?: unknown;
    content?: unknown;
  };
  const text =
    String(contentType).toLowerCase() === 'html'
      ? String(content).replace(/<[^<>]{0,1000}>/g, ' ')
      : String(content);
  return text.replace(/\s+/g, ' ').trim().slice(0, previewLength);
}
