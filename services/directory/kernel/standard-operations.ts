import { omitUndefined } from '../../../core/values/omit-undefined.js';
import {
  type Access,
  readAccessOf,
  withPermissions,
  writeAccessOf,
} from '../authorization/access.js';
import { type PathKey, pathKeyValue } from '../http/path.js';
import { created, insufficientPrivileges, objectNotFound, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { answerDeltaQuery } from '../delta/delta-query.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { Relation } from '../store/relations.js';
import { allObjectsOf, countObjects, listObjects } from './object-list.js';
import type { Navigation, ObjectType } from './object-type.js';
import {
  checkIfMatch,
  entityBody,
  findByPathKey,
  requireByPathKey,
  showObject,
} from './single-object.js';
import { requireProperties, writableProperties, type WriteRules } from './body-properties.js';
import { addReferenceOperations } from './reference-operations.js';

/** Options of the standard operations of an object type; absent operations are not served. */
export interface StandardOperations<Prepared = undefined> {
  readonly type: ObjectType;
  /** The collection's path. @default that of the type */
  readonly path?: string;
  /** @default the type's readers */
  readonly read?: Access;
  /** @default the type's writers */
  readonly write?: Access;
  /** Finds the object of a path. @default by its id or an alternate key */
  readonly find?: (request: DirectoryRequest, key: PathKey) => Promise<StoredObject | undefined>;
  /** Properties of a body that only `prepare`, `create` and `change` check and store. */
  readonly propertiesLeftToCreateAndChange?: readonly string[];
  /** Slow work (hashing), done before the transaction. */
  readonly prepare?: (request: DirectoryRequest, body: Body) => Promise<Prepared>;
  /** Builds a new object, in the transaction that stores it. */
  readonly create?: (
    request: DirectoryRequest,
    values: Record<string, unknown>,
    body: Body,
    prepared: Prepared,
  ) => Promise<NewObject>;
  /**
   * The alternate key by which a PATCH with `Prefer: create-if-missing` creates an object.
   *
   * @default none
   */
  readonly upsertKey?: string;
  /** Returns the changed properties, in the transaction that stores them. */
  readonly change?: (
    request: DirectoryRequest,
    current: StoredObject,
    values: Record<string, unknown>,
    body: Body,
    prepared: Prepared,
  ) => Promise<Body>;
  /**
   * Refuses writes that the caller may not make; called in the transaction, before changes of the
   * object and its references, and deletions.
   */
  readonly authorize?: (request: DirectoryRequest, object: StoredObject) => Promise<void> | void;
  /** Runs before an object is deleted, in the transaction. */
  readonly beforeDelete?: (request: DirectoryRequest, object: StoredObject) => Promise<void> | void;
  /** Whether objects can be deleted. @default true */
  readonly deletable?: false;
  /** Adds values that are stored elsewhere to the answer when one object is read. */
  readonly completeView?: (
    request: DirectoryRequest,
    object: StoredObject,
    view: Body,
  ) => Promise<Body>;
  /** Serves `/delta` and names the references that it follows. @default no delta */
  readonly deltaRelations?: readonly Relation[];
  /** Who may read one object, if more callers than may list them. @default read */
  readonly readOne?: Access;
}

/** An object about to be stored. */
export interface NewObject {
  readonly id: string;
  readonly body: Body;
  /** Stores references and other data of the new object, in the same transaction. */
  readonly afterCreate?: (object: StoredObject) => Promise<void>;
  /** Values that only this answer contains, such as a new secret. */
  readonly onlyInAnswer?: Readonly<Record<string, unknown>>;
}

/** Adds the operations list, count, get, create, change and delete of a type. */
export function addStandardOperations<Prepared = undefined>(
  router: Router,
  operations: StandardOperations<Prepared>,
): void {
  const {
    type,
    path = `/${type.collection}`,
    read = readAccessOf(type),
    write = writeAccessOf(type),
  } = operations;
  const objectPath = `${path}/{id}`;
  const listing = { source: allObjectsOf(type), type };
  router.on('GET', path, read, (request) => listObjects(request, listing));
  router.on('GET', `${path}/$count`, read, (request) => countObjects(request, listing));
  const { deltaRelations } = operations;
  if (deltaRelations)
    router.on('GET', `${path}/delta`, read, (request) =>
      answerDeltaQuery(request, {
        type,
        relations: deltaRelations,
        ...omitUndefined({ mayFollow: findMayFollow(type, deltaRelations) }),
      }),
    );
  router.on('GET', objectPath, operations.readOne ?? read, async (request) => {
    const object = await requireObjectOfPath(request, operations);
    const reply = await showObject(request, object, type);
    if (!operations.completeView) return reply;
    return { ...reply, body: await operations.completeView(request, object, reply.body as Body) };
  });
  const { create, change, authorize } = operations;
  if (create)
    router.on('POST', path, write, async (request) => {
      const body = request.json();
      const prepared = await prepare(request, operations, body);
      return createObject(request, operations, { create, body, prepared });
    });
  if (change) {
    router.on('PATCH', objectPath, write, async (request) => {
      const body = request.json();
      const prepared = await prepare(request, operations, body);
      const key = request.key('id');
      return request.runInTransaction(async () => {
        const isUpsert = create && requestsUpsert(request, operations, key);
        if (isUpsert && !(await findObject(request, operations, key)))
          return createObject(request, operations, { create, body, prepared, key });
        const current = await requireObjectOfPath(request, operations);
        checkIfMatch(request, current);
        await authorize?.(request, current);
        const values = writableProperties(request.directory, type, body, {
          ...writeRulesOf(operations),
          keys: { ...keyValues(key), id: current.id },
        });
        const next = await change(request, current, values, body, prepared);
        await request.directory.objects.save(
          (await request.directory.objects.get(current.id)) ?? current,
          next,
        );
      });
    });
  }
  if (operations.deletable !== false) {
    router.on('DELETE', objectPath, withPermissions(write, type.deletePermissions), (request) =>
      request.runInTransaction(async () => {
        const object = await requireObjectOfPath(request, operations);
        checkIfMatch(request, object);
        await authorize?.(request, object);
        await operations.beforeDelete?.(request, object);
        await request.directory.deletion.delete(object);
      }),
    );
  }
  for (const [name, navigation] of Object.entries(type.navigations ?? {}))
    if ('references' in navigation && navigation.references) {
      const [relation = name as Relation] = navigation.relations;
      const access = { read: operations.readOne ?? read, write, authorize };
      const { mayFollow } = navigation;
      const findForRead =
        mayFollow &&
        (async (request: DirectoryRequest) => {
          const object = await requireByPathKey(request, type);
          if (await mayFollow(request, object)) return object;
          throw insufficientPrivileges(`the ${name} of this ${type.name} are hidden`);
        });
      addReferenceOperations(router, {
        type,
        path,
        name,
        relation,
        ...access,
        ...omitUndefined({ findForRead }),
        ...navigation.references,
      });
    }
}

/** The check whether a caller may see the references of one of the relations; undefined: all may. */
function findMayFollow(
  { navigations = {} }: ObjectType,
  relations: readonly Relation[],
): Extract<Navigation, { relations: unknown }>['mayFollow'] {
  for (const navigation of Object.values(navigations))
    if ('relations' in navigation && navigation.relations.some((each) => relations.includes(each)))
      return navigation.mayFollow;
  return undefined;
}

/** Does the slow work of a write. `Prepared` is undefined for types without it. */
async function prepare<Prepared>(
  request: DirectoryRequest,
  operations: StandardOperations<Prepared>,
  body: Body,
): Promise<Prepared> {
  return (await operations.prepare?.(request, body)) as Prepared;
}

/** What an object is created from. */
interface Creation<Prepared> {
  readonly create: NonNullable<StandardOperations<Prepared>['create']>;
  readonly body: Body;
  readonly prepared: Prepared;
  /** The key by which the path names the object. @default none */
  readonly key?: PathKey;
}

async function createObject<Prepared>(
  request: DirectoryRequest,
  operations: StandardOperations<Prepared>,
  { create, body, prepared, key = '' }: Creation<Prepared>,
): Promise<Reply> {
  const { type, path = `/${type.collection}` } = operations;
  const { directory } = request;
  const keys = keyValues(key);
  const values = {
    ...writableProperties(directory, type, body, { ...writeRulesOf(operations), keys }),
    ...keys,
  };
  requireProperties(type, values, Object.keys(keys));
  const [object, onlyInAnswer] = await directory.sql.transaction(async () => {
    const newObject = await create(request, values, body, prepared);
    const stored = await directory.objects.create(type, newObject.id, newObject.body);
    await newObject.afterCreate?.(stored);
    return [(await directory.objects.get(stored.id)) ?? stored, newObject.onlyInAnswer] as const;
  });
  return created(
    { ...entityBody(request, object, type), ...onlyInAnswer },
    `${request.base}${path}/${object.id}`,
  );
}

/** Whether a PATCH creates the object of its path if there is none. */
function requestsUpsert<Prepared>(
  request: DirectoryRequest,
  { upsertKey }: StandardOperations<Prepared>,
  key: PathKey,
): boolean {
  return request.createsIfMissing && typeof key !== 'string' && key.property === upsertKey;
}

/** An alternate key as a property with its value. */
function keyValues(key: PathKey): Body {
  return typeof key === 'string' ? {} : { [key.property]: key.value };
}

async function findObject(
  request: DirectoryRequest,
  { type, find }: Pick<StandardOperations, 'type' | 'find'>,
  key: PathKey,
): Promise<StoredObject | undefined> {
  return find ? find(request, key) : findByPathKey(request, type, key);
}

/** The object of a path. @throws DirectoryError 404. */
async function requireObjectOfPath(
  request: DirectoryRequest,
  operations: Pick<StandardOperations, 'type' | 'find'>,
): Promise<StoredObject> {
  const key = request.key('id');
  const object = await findObject(request, operations, key);
  if (!object) throw objectNotFound(pathKeyValue(key));
  return object;
}

function writeRulesOf({
  propertiesLeftToCreateAndChange,
}: Pick<StandardOperations, 'propertiesLeftToCreateAndChange'>): WriteRules {
  return omitUndefined({ propertiesLeftToCaller: propertiesLeftToCreateAndChange });
}
