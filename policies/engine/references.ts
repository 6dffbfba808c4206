import type { Section } from '../schemas/stack.js';
import { sections } from '../schemas/stack.js';
import type { PlacePattern, SchemaNode } from './schema-paths.js';
import { placesWhere, visitPlace } from './schema-paths.js';
import type { Declaration, Reference, StackIndex } from './stack-index.js';

const patterns = new Map<Section, readonly PlacePattern[]>();

function patternsOf(section: Section): readonly PlacePattern[] {
  const known = patterns.get(section);
  if (known !== undefined) return known;
  const found = placesWhere(sections[section] as unknown as SchemaNode, (schema) => schema['x-references'] !== undefined);
  patterns.set(section, found);
  return found;
}

/** Every name that a declaration uses for another one, as the schema marks them. */
export function referencesOf(index: StackIndex): readonly Reference[] {
  const references: Reference[] = [];
  for (const section of Object.keys(sections) as Section[]) {
    const places = patternsOf(section);
    for (const declaration of index.all(section)) collect(declaration, places, references);
  }
  return references;
}

function collect(from: Declaration, places: readonly PlacePattern[], references: Reference[]): void {
  for (const { steps, schema } of places) {
    visitPlace(from.value, steps, (value, path) => {
      if (typeof value === 'string') references.push({ from, path, name: value, kinds: schema['x-references'] ?? [] });
    });
  }
}
