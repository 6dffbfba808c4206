import { sql } from 'kysely';
import type { Access } from '../authorization/access.js';
import { badRequest, linkQuotaExceeded, objectNotFound, referenceExists, referenceMissing } from '../http/errors.js';
import { noContent } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { type Relation, relations } from '../store/relations.js';
import type { StoredObject } from '../store/objects.js';
import { navigationRoutes } from '../membership/navigation.js';
import type { Source } from './collection.js';
import type { ObjectType } from './object-type.js';
import { idOfRefBody } from './references.js';
import { requireObject } from './single.js';

/** A relationship of references with list, add and remove. */
export interface ReferenceOperations {
  /** The collection that the relationship starts from, such as `/devices`. */
  readonly path: string;
  readonly type: ObjectType;
  /** The navigation property, such as `owners`. */
  readonly name: string;
  readonly relation: Relation;
  readonly read: Access;
  readonly write: Access;
  /** The types that may be referred to. */
  readonly targets: readonly string[];
  /** How many there may be. @default any number */
  readonly most?: number;
  /** Runs inside the transaction, before a reference is added or removed. */
  readonly check?: (
    request: DirectoryRequest,
    source: StoredObject,
    target: StoredObject,
    removing: 'removing' | undefined,
  ) => Promise<void>;
  readonly find?: (request: DirectoryRequest) => Promise<StoredObject>;
}

/** Adds `GET …/{name}`, `/$count`, `/$ref`, casts, `POST …/{name}/$ref` and `DELETE …/{name}/{target}/$ref`. */
export function referenceOperations(router: Router, operations: ReferenceOperations): void {
  const { name, relation, read, write } = operations;
  const path = `${operations.path}/{id}/${name}`;
  const source = (request: DirectoryRequest): Promise<StoredObject> =>
    operations.find?.(request) ?? requireObject(request, operations.type.name, request.parameter('id'));
  navigationRoutes(router, { path, access: read, find: source, source: (object, type) => targetsOf(object, relation, type) });
  router.on('POST', `${path}/$ref`, write, async (request) => {
    const { directory } = request;
    const id = idOfRefBody(directory, request.json(), operations.targets);
    await directory.sql.write(async () => {
      const from = await source(request);
      const target = await directory.objects.get(id);
      if (!target) throw objectNotFound(id);
      if (!operations.targets.includes(target.type))
        throw badRequest(`Not a valid reference update: a ${target.type} can't be among the ${name} of a ${operations.type.name}.`);
      await operations.check?.(request, from, target, undefined);
      if (!(await directory.links.add(from, relation, target))) throw referenceExists(name);
      const count = operations.most === undefined ? 0 : await directory.links.count(from, relation);
      if (operations.most !== undefined && count > operations.most) throw linkQuotaExceeded(name, count, operations.most);
    });
    return noContent;
  });
  router.on('DELETE', `${path}/{target}/$ref`, write, async (request) => {
    const { directory } = request;
    await directory.sql.write(async () => {
      const from = await source(request);
      const target = await directory.objects.get(request.parameter('target'));
      if (!target) throw referenceMissing(name);
      await operations.check?.(request, from, target, 'removing');
      if (!(await directory.links.remove(from, relation, target))) throw referenceMissing(name);
    });
    return noContent;
  });
}

/** What a relation of an object leads to, of one type where a cast names it. */
export function targetsOf(object: StoredObject, relation: Relation, type?: ObjectType): Source {
  return {
    from: sql`directory_link l join directory_object o on o.number = l.target`,
    where: sql`l.source = ${object.number} and l.relation = ${sql.lit(relations[relation])}${type ? sql` and o.type = ${type.name}` : sql``}`,
    number: sql`l.target`,
  };
}
