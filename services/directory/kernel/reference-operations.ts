import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Access } from '../authorization/access.js';
import {
  badRequest,
  linkQuotaExceeded,
  referenceExists,
  referenceMissing,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { addNavigationRoutes, sourcesOf, targetsOf } from './navigation-routes.js';
import type { StoredObject } from '../store/objects.js';
import type { Relation } from '../store/relations.js';
import type { Directory } from './directory.js';
import type { ObjectType, ReferenceRules } from './object-type.js';
import { idOfRefBody, idOfAllowedReference, resolveReference } from './references.js';
import { requireByPathKey, requireObject } from './single-object.js';

/** How to list, add and remove the references of a relationship. */
export interface ReferenceOperations extends ReferenceRules {
  /** The type with the relationship. */
  readonly type: ObjectType;
  /** The path of its collection. @default that of the type */
  readonly path?: string;
  /** The navigation property, such as `owners`. */
  readonly name: string;
  /** @default the relation of that name */
  readonly relation?: Relation;
  /** Who may list the references. */
  readonly read: Access;
  /** Who may add and remove references. */
  readonly write: Access;
  /** Resource units of a read. @default 1 */
  readonly cost?: number;
  /** Finds the object of the path. @default by its id or an alternate key */
  readonly find?: (request: DirectoryRequest) => Promise<StoredObject>;
  /** Finds the object for reads, and checks that the caller may see it. @default find */
  readonly findForRead?: (request: DirectoryRequest) => Promise<StoredObject>;
  /** Refuses changes that the caller may not make; called in the transaction. */
  readonly authorize?:
    ((request: DirectoryRequest, source: StoredObject) => Promise<void> | void) | undefined;
  /** Adds a reference. @default stores it, or refuses an existing one */
  readonly add?: (
    directory: Directory,
    source: StoredObject,
    target: StoredObject,
  ) => Promise<void>;
  /** Removes a reference. @default deletes it, or refuses a missing one */
  readonly remove?: (
    directory: Directory,
    source: StoredObject,
    target: StoredObject,
  ) => Promise<void>;
}

/**
 * Adds `GET …/{name}`, `/$count`, `/$ref`, casts, `POST …/{name}/$ref`,
 * `DELETE …/{name}/{target}/$ref` and `DELETE …/{name}/$ref?$id=…`.
 */
export function addReferenceOperations(router: Router, operations: ReferenceOperations): void {
  const {
    type,
    name,
    read,
    write,
    cost,
    targetTypes,
    maximum,
    authorize,
    checkNewReference,
    requireChangeable,
  } = operations;
  const relation = operations.relation ?? (name as Relation);
  const path = `${operations.path ?? `/${type.collection}`}/{id}/${name}`;
  const find = operations.find ?? ((request: DirectoryRequest) => requireByPathKey(request, type));
  addNavigationRoutes(router, {
    path,
    access: read,
    find: operations.findForRead ?? find,
    source: (object, cast) => targetsOf(object.number, relation, cast),
    ...omitUndefined({ cost }),
  });

  const addByDefault = async (
    directory: Directory,
    source: StoredObject,
    target: StoredObject,
  ): Promise<void> => {
    if (!(await directory.links.add(source, relation, target))) throw referenceExists(name);
    const count = maximum === undefined ? 0 : await directory.links.count(source, relation);
    if (maximum !== undefined && count > maximum) throw linkQuotaExceeded(name, count, maximum);
  };
  const removeByDefault = async (
    directory: Directory,
    source: StoredObject,
    target: StoredObject,
  ): Promise<void> => {
    if (!(await directory.links.remove(source, relation, target))) throw referenceMissing(name);
  };
  const removeReference = (request: DirectoryRequest, id: string): Promise<Reply> =>
    request.runInTransaction(async () => {
      const source = await find(request);
      await authorize?.(request, source);
      requireChangeable?.(source);
      const target = await requireObject(request.directory, id);
      await (operations.remove ?? removeByDefault)(request.directory, source, target);
    });

  router.on('POST', `${path}/$ref`, write, (request) => {
    const { directory } = request;
    const targetId = idOfRefBody(directory, request.json(), targetTypes);
    return request.runInTransaction(async () => {
      const source = await find(request);
      await authorize?.(request, source);
      requireChangeable?.(source);
      const target = await resolveReference(directory, targetId);
      // An address such as `directoryObjects/{id}` does not tell the type: only the object does.
      if (targetTypes?.includes(target.type) === false)
        throw badRequest(
          `Not a valid reference update: the ${name} of type '${type.name}' can't have one of type '${target.type}'.`,
        );
      await checkNewReference?.(directory, source, target);
      await (operations.add ?? addByDefault)(directory, source, target);
    });
  });
  router.on('DELETE', `${path}/{target}/$ref`, write, (request) =>
    removeReference(request, request.parameter('target')),
  );
  router.on('DELETE', `${path}/$ref`, write, (request) => {
    const address = request.query.get('$id') ?? request.query.get('@id');
    if (address === null)
      throw badRequest('Not a valid reference update: $id must name the reference to remove.');
    return removeReference(request, idOfAllowedReference(request.directory, address));
  });
}

/** How to list the objects that refer to an object. */
export interface ReferringObjectList {
  /** Who may list them. */
  readonly access: Access;
  /** Finds the object of the path, and checks that the caller may see it. */
  readonly find: (request: DirectoryRequest) => Promise<StoredObject>;
  /** The relations by which others refer to it. */
  readonly relations: readonly Relation[];
}

/**
 * Adds a list such as `…/ownedObjects`: the objects that refer to the path's object by one of the
 * relations.
 */
export function addReferringObjectRoutes(
  router: Router,
  path: string,
  { access, find, relations }: ReferringObjectList,
): void {
  addNavigationRoutes(router, {
    path,
    access,
    find,
    source: (object, cast) => sourcesOf(object.number, relations, cast),
  });
}
