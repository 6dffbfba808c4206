import { objectsOf, omit, textOf } from '../json.js';
import type { Json } from '../store.js';

/** Children that a resource's own body also lists: they are written with it, and shown in it. */
const parts: Readonly<Record<string, readonly string[]>> = {
  'microsoft.network/virtualnetworks': ['subnets'],
  'microsoft.network/networksecuritygroups': ['securityRules'],
  'microsoft.network/routetables': ['routes'],
};

/** The names of the parts of a type. */
export function partsOf(type: string): readonly string[] {
  return parts[type.toLowerCase()] ?? [];
}

/** A part that a body lists. */
export interface ListedPart {
  readonly name: string;
  readonly body: Json;
}

/** Properties without their parts, and each list of parts that they hold; a list that isn't there changes nothing. */
export function takeParts(type: string, properties: Json): { properties: Json; listed: ReadonlyMap<string, readonly ListedPart[]> } {
  const names = partsOf(type).filter((name) => properties[name] !== undefined);
  const listed = new Map(
    names.map((name) => [
      name,
      objectsOf(properties[name], `properties.${name}`).map((entry, at) => ({
        name: textOf(entry['name']) ?? String(at),
        body: omit(entry, ['id', 'name', 'type', 'etag']),
      })),
    ]),
  );
  return { properties: omit(properties, names), listed };
}
