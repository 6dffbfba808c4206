import { objectsOf, omit, nonEmptyText } from '../json.js';
import type { Json } from '../store.js';

/**
 * Children that are also listed in their parent's body: they are written with it and returned in
 * it.
 */
const parts: Readonly<Record<string, readonly string[]>> = {
  'microsoft.network/virtualnetworks': ['subnets'],
  'microsoft.network/networksecuritygroups': ['securityRules'],
  'microsoft.network/routetables': ['routes'],
};

/** The list names of a type's parts. */
export function childListsOf(type: string): readonly string[] {
  return parts[type.toLowerCase()] ?? [];
}

/** A part listed in a body. */
export interface ListedChild {
  readonly name: string;
  readonly body: Json;
}

/** Separates properties from their lists of parts; an absent list changes nothing. */
export function separateChildren(
  type: string,
  properties: Json,
): { properties: Json; listed: ReadonlyMap<string, readonly ListedChild[]> } {
  const names = childListsOf(type).filter((name) => properties[name] !== undefined);
  const listed = new Map(
    names.map((name) => [
      name,
      objectsOf(properties[name], `properties.${name}`).map((entry, at) => ({
        name: nonEmptyText(entry['name']) ?? String(at),
        body: omit(entry, ['id', 'name', 'type', 'etag']),
      })),
    ]),
  );
  return { properties: omit(properties, names), listed };
}
