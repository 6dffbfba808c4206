import { sql } from 'kysely';
import type { DirectoryRequest } from '../http/request.js';
import { mayRead, visibleMembershipsCondition } from '../membership/hidden-memberships.js';
import { type ExpandItem, odataLimits } from '../odata/index.js';
import { relationNumbers } from '../store/links.js';
import { readObjects, type StoredObject } from '../store/objects.js';
import type { Navigation } from './object-type.js';
import { present } from './presentation.js';

/**
 * Expands a relationship of an object: at most 20 entries, or one object for a single-valued
 * relationship (null if there is none), with nested `$select`. Objects that the caller may not see
 * are left out. `$levels` follows it through objects that the caller may read, each once.
 *
 * @param followedIds ids of the objects that were followed already.
 */
export async function expandRelationship(
  request: DirectoryRequest,
  object: StoredObject,
  item: ExpandItem,
  followedIds: ReadonlySet<string> = new Set([object.id]),
): Promise<Record<string, unknown>> {
  const { directory } = request;
  const navigation = directory.types.get(object.type).navigations?.[item.relationship];
  if (!navigation) return {};
  if ('read' in navigation) {
    const relatedEntries = await navigation.read(directory, object);
    return { [item.relationship]: relatedEntries.slice(0, odataLimits.expandedItems) };
  }
  const mayFollow = (await navigation.mayFollow?.(request, object)) ?? true;
  const relatedObjects = mayFollow ? await readRelatedObjects(request, object, navigation) : [];
  const views = relatedObjects.map((related) =>
    present(directory, related, {
      select: item.select,
      withODataType: true,
      masked: !mayRead(request, related),
    }),
  );
  const { levels = 1 } = item;
  if (levels > 1)
    for (const [index, related] of relatedObjects.entries())
      if (!followedIds.has(related.id) && mayRead(request, related))
        Object.assign(
          views[index] ?? {},
          await expandRelationship(
            request,
            related,
            { ...item, levels: levels - 1 },
            new Set([...followedIds, related.id]),
          ),
        );
  return { [item.relationship]: navigation.single ? (views[0] ?? null) : views };
}

async function readRelatedObjects(
  request: DirectoryRequest,
  object: StoredObject,
  { relations: names, direction }: Extract<Navigation, { relations: unknown }>,
): Promise<StoredObject[]> {
  const [objectColumn, relatedColumn] =
    direction === 'out' ? [sql`l.source`, sql`l.target`] : [sql`l.target`, sql`l.source`];
  const visibilityCondition =
    direction === 'in' ? await visibleMembershipsCondition(request, object) : undefined;
  return readObjects(
    request.directory.sql,
    sql`directory_link l join directory_object o on o.number = ${relatedColumn} where ${objectColumn} = ${object.number} and l.relation in (${relationNumbers(names)})
      ${visibilityCondition === undefined || !names.includes('members') ? sql`` : sql`and ${visibilityCondition}`}
      order by l.relation, ${relatedColumn} limit ${sql.lit(odataLimits.expandedItems)}`,
  );
}
