import { sql } from 'kysely';
import type { Access } from '../authorization/access.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { navigationRoutes } from '../membership/navigation.js';
import type { Relation } from '../store/relations.js';
import { relations } from '../store/relations.js';
import type { StoredObject } from '../store/objects.js';

/** Adds `…/ownedObjects` or its like: what refers to an object by one of the relations. */
export function referringObjects(
  router: Router,
  path: string,
  access: Access,
  referring: readonly Relation[],
  find: (request: DirectoryRequest) => Promise<StoredObject>,
): void {
  const numbers = sql.join(referring.map((relation) => sql.lit(relations[relation])));
  navigationRoutes(router, {
    path,
    access,
    find,
    source: (object, type) => ({
      from: sql`(select distinct source from directory_link where target = ${object.number} and relation in (${numbers})) l
        join directory_object o on o.number = l.source`,
      ...(type && { where: sql`o.type = ${type.name}` }),
    }),
  });
}
