import { type Section, sections } from '../../kinds/stack/schema.js';
import {
  placesWhere,
  placeTree,
  type PlaceTree,
  type SchemaNode,
  visitPlaces,
} from './schema-paths.js';
import type { Declaration, Reference } from './stack-index.js';

const referenceTrees = new Map<Section, PlaceTree>();

function referenceTreeOf(section: Section): PlaceTree {
  const cachedTree = referenceTrees.get(section);
  if (cachedTree !== undefined) return cachedTree;
  const tree = placeTree(
    placesWhere(
      sections[section] as unknown as SchemaNode,
      (schema) => schema['x-references'] !== undefined,
    ),
  );
  referenceTrees.set(section, tree);
  return tree;
}

/** All references of a declaration to others, as marked in the schema. */
export function referencesOf(from: Declaration): readonly Reference[] {
  const references: Reference[] = [];
  visitPlaces(from.value, referenceTreeOf(from.section), (value, path, schema) => {
    if (typeof value === 'string')
      references.push({
        from,
        path: [...path],
        name: value,
        kinds: schema['x-references'] ?? [],
        mustBeDeclared: schema['x-by-name'] === true,
      });
  });
  return references;
}
