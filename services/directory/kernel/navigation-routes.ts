import { sql } from 'kysely';
import type { Access } from '../authorization/access.js';
import { pathNotFound } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import {
  countObjects,
  type Listing,
  listObjects,
  listReferences,
  showReference,
  type ObjectSource,
} from './object-list.js';
import type { ObjectType } from './object-type.js';
import type { StoredObject } from '../store/objects.js';
import { type Relation, relations } from '../store/relations.js';
import type { Fragment } from '../store/sql.js';
import { containingObjectsTable, relationNumbers } from '../store/links.js';

/** A navigation property that leads to directory objects. */
export interface NavigationRoutes {
  /** `/groups/{id}/members`. */
  readonly path: string;
  /** Who may list and count the objects. */
  readonly access: Access;
  /** Finds the object of the path, and checks that the caller may see it. */
  readonly find: (request: DirectoryRequest) => Promise<StoredObject>;
  /** The objects that the property leads to, with a type only those of it. */
  readonly source: (object: StoredObject, type?: ObjectType) => ObjectSource;
  /** A further SQL condition on what the caller may see. */
  readonly restrict?: (
    request: DirectoryRequest,
    object: StoredObject,
  ) => Promise<Fragment | undefined>;
  /** Resource units of one request. */
  readonly cost?: number;
}

/** Adds a navigation property with casts, `/$count`, `/$ref` and `/{id}/$ref`. */
export function addNavigationRoutes(router: Router, navigation: NavigationRoutes): void {
  const { path, access, find, source, cost } = navigation;
  const options = cost === undefined ? {} : { cost };
  const listing = async (request: DirectoryRequest): Promise<Listing> => {
    const type = typeOfCast(request);
    const object = await find(request);
    const allObjects = source(object, type);
    const condition = await navigation.restrict?.(request, object);
    const where =
      condition && (allObjects.where ? sql`${allObjects.where} and ${condition}` : condition);
    const visibleObjects = where ? { ...allObjects, where } : allObjects;
    return {
      source: visibleObjects,
      masksUnreadable: true,
      ...(type && { type, hasCast: true }),
    };
  };
  const answers = {
    '{cast}?': listObjects,
    $count: countObjects,
    '{cast}/$count': countObjects,
    $ref: listReferences,
    '{target}/$ref': showReference,
  };
  for (const [suffix, answer] of Object.entries(answers))
    router.on(
      'GET',
      `${path}/${suffix}`,
      access,
      async (request) => answer(request, await listing(request)),
      options,
    );
}

/**
 * The type of the path's cast; undefined without a cast or for `directoryObject`.
 *
 * @throws DirectoryError 404.
 */
export function typeOfCast(request: DirectoryRequest): ObjectType | undefined {
  const name = request.cast();
  if (name === undefined || name.toLowerCase() === 'directoryobject') return undefined;
  const type = request.directory.types.find(name);
  if (type) return type;
  throw pathNotFound(`${request.directory.namespace}.${name}`);
}

/** The targets of an object's references (members, owners). */
export function targetsOf(
  objectNumber: number,
  relation: Relation,
  type?: ObjectType,
): ObjectSource {
  return {
    from: sql`directory_link l join directory_object o on o.number = l.target`,
    where: sql`l.source = ${objectNumber} and l.relation = ${sql.lit(relations[relation])}${andTypeCondition(type)}`,
    pagingKey: sql`l.target`,
  };
}

/** The objects whose references point to this one (memberOf, ownedObjects). */
export function sourcesOf(
  objectNumber: number,
  names: readonly Relation[],
  type?: ObjectType,
): ObjectSource {
  return {
    from: sql`directory_link l join directory_object o on o.number = l.source`,
    where: sql`l.target = ${objectNumber} and l.relation in (${relationNumbers(names)})${andTypeCondition(type)}`,
    pagingKey: sql`l.source`,
  };
}

/** Everything in a group, transitively. */
export function transitiveMembers(objectNumber: number, type?: ObjectType): ObjectSource {
  const members = sql.lit(relations.members);
  return {
    with: sql`with recursive contained(number) as (
      select target from directory_link where source = ${objectNumber} and relation = ${members}
      union select l.target from contained join directory_link l on l.source = contained.number and l.relation = ${members})`,
    from: sql`directory_object o`,
    numbersTable: 'contained',
    ...(type && { where: sql`o.type = ${type.name}` }),
  };
}

/** Everything that an object is in, transitively. */
export function transitiveMemberOf(objectNumber: number, type?: ObjectType): ObjectSource {
  return {
    with: containingObjectsTable(objectNumber),
    from: sql`directory_object o`,
    numbersTable: 'containing',
    ...(type && { where: sql`o.type = ${type.name}` }),
  };
}

function andTypeCondition(type: ObjectType | undefined): Fragment {
  return type ? sql` and o.type = ${type.name}` : sql``;
}
