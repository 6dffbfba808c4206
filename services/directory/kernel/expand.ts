import { hasPermission } from '../authorization/access.js';
import type { DirectoryRequest } from '../http/request.js';
import type { ExpandItem } from '../odata/index.js';
import { odataLimits } from '../odata/index.js';
import type { StoredObject } from '../store/objects.js';
import { present } from './present.js';

/** The expanded relationship of one object: at most 20 entries, with nested `$select`. */
export async function expandOne(request: DirectoryRequest, object: StoredObject, item: ExpandItem): Promise<Record<string, unknown>> {
  const { directory, caller } = request;
  const navigation = directory.types.get(object.type).navigations?.[item.relationship];
  if (!navigation) return {};
  if ('read' in navigation) {
    const read = await navigation.read(directory, object);
    return { [item.relationship]: read.slice(0, odataLimits.expandedItems) };
  }
  const found: StoredObject[] = [];
  for (const relation of navigation.relations) {
    const limit = odataLimits.expandedItems - found.length;
    if (limit <= 0) break;
    const read = navigation.direction === 'out' ? directory.links.targets : directory.links.sources;
    found.push(...(await read.call(directory.links, object, relation, 0, limit)));
  }
  return {
    [item.relationship]: found.map((each) =>
      present(directory, each, {
        ...(item.select && { select: item.select }),
        typed: true,
        masked: !hasPermission(caller, ...directory.types.get(each.type).readPermissions),
      }),
    ),
  };
}
