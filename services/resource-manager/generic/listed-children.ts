import { readObjects, omit, nonEmptyText } from '../json.js';
import type { Json } from '../store.js';

/**
 * The properties that list children in their parent's body, by the parent's type: the children are
 * written with the parent and returned in it.
 */
const childLists: Readonly<Record<string, readonly string[]>> = {
  'microsoft.network/virtualnetworks': ['subnets'],
  'microsoft.network/networksecuritygroups': ['securityRules'],
  'microsoft.network/routetables': ['routes'],
};

/** The properties of a type that list children. */
export function childListsOf(type: string): readonly string[] {
  return childLists[type.toLowerCase()] ?? [];
}

/** A child listed in its parent's body. */
export interface ListedChild {
  /** The name of the entry; without one, its index in the list. */
  readonly name: string;
  /** The entry without `id`, `name`, `type` and `etag`. */
  readonly body: Json;
}

/** Separates properties from their lists of children; an absent list changes no children. */
export function separateChildren(
  type: string,
  properties: Json,
): { properties: Json; listed: ReadonlyMap<string, readonly ListedChild[]> } {
  const names = childListsOf(type).filter((name) => properties[name] !== undefined);
  const listed = new Map(
    names.map((name) => [
      name,
      readObjects(properties[name], `properties.${name}`).map((entry, index) => ({
        name: nonEmptyText(entry['name']) ?? String(index),
        body: omit(entry, ['id', 'name', 'type', 'etag']),
      })),
    ]),
  );
  return { properties: omit(properties, names), listed };
}
