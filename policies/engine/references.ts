import { type Section, sections } from '../../kinds/stack/schema.js';
import {
  placesWhere,
  placeTree,
  type PlaceTree,
  type SchemaNode,
  visitPlaces,
} from './schema-paths.js';
import type { Declaration, Reference } from './stack-index.js';

const trees = new Map<Section, PlaceTree>();

function treeOf(section: Section): PlaceTree {
  const known = trees.get(section);
  if (known !== undefined) return known;
  const tree = placeTree(
    placesWhere(
      sections[section] as unknown as SchemaNode,
      (schema) => schema['x-references'] !== undefined,
    ),
  );
  trees.set(section, tree);
  return tree;
}

/** All references of a declaration to others, as marked in the schema. */
export function referencesOf(from: Declaration): readonly Reference[] {
  const references: Reference[] = [];
  visitPlaces(from.value, treeOf(from.section), (value, path, schema) => {
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
