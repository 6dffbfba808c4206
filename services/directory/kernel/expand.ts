import type { DirectoryRequest } from '../http/request.js';
import { mayRead, visibleMemberships } from '../membership/hidden-groups.js';
import { type ExpandItem, odataLimits } from '../odata/index.js';
import { objectColumns, type ObjectRow, type StoredObject, toStoredObject } from '../store/objects.js';
import { relations } from '../store/relations.js';
import type { Navigation } from './object-type.js';
import { present } from './present.js';

/**
 * The expanded relationship of one object: at most 20 entries, or the one object of a single-valued relationship (null where there is
 * none), with nested `$select`. What the caller may not see is left out.
 */
export async function expandOne(request: DirectoryRequest, object: StoredObject, item: ExpandItem): Promise<Record<string, unknown>> {
  const { directory } = request;
  const navigation = directory.types.get(object.type).navigations?.[item.relationship];
  if (!navigation) return {};
  if ('read' in navigation) {
    const read = await navigation.read(directory, object);
    return { [item.relationship]: read.slice(0, odataLimits.expandedItems) };
  }
  const may = (await navigation.mayFollow?.(request, object)) ?? true;
  const shown = (may ? await relatedObjects(request, object, navigation) : []).map((each) =>
    present(directory, each, {
      ...(item.select && { select: item.select }),
      typed: true,
      masked: !mayRead(request, each),
    }),
  );
  return { [item.relationship]: navigation.single ? (shown[0] ?? null) : shown };
}

async function relatedObjects(
  request: DirectoryRequest,
  object: StoredObject,
  { relations: names, direction }: Extract<Navigation, { relations: unknown }>,
): Promise<StoredObject[]> {
  const [near, far] = direction === 'out' ? ['source', 'target'] : ['target', 'source'];
  const visible = direction === 'in' ? await visibleMemberships(request, object) : undefined;
  const rows = await request.directory.sql.all<ObjectRow>(
    `select ${objectColumns} from directory_link l join directory_object o on o.number = l.${far}
     where l.${near} = ? and l.relation in (${names.map((name) => relations[name]).join(', ')})
     ${visible === undefined || !names.includes('members') ? '' : `and ${visible}`}
     order by l.relation, l.${far} limit ${odataLimits.expandedItems}`,
    [object.number],
  );
  return rows.map(toStoredObject);
}
