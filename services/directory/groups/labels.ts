import type { SeedSection } from '../../common/seed.js';
import type { Directory } from '../kernel/directory.js';
import type { Body } from '../store/objects.js';

const labels = 'sensitivity-label';

/** Keeps the names of the sensitivity labels that a seed lists. */
export async function seedLabels(directory: Directory, section: SeedSection): Promise<void> {
  for (const { id, displayName } of section.sensitivityLabels ?? [])
    if (typeof id === 'string') await directory.items.put(labels, '', id.toLowerCase(), { displayName });
}

/** The `assignedLabels` of a body as pairs of id and name, as far as the name is known. */
export async function namedLabels(directory: Directory, given: Body): Promise<Body> {
  if (!Array.isArray(given['assignedLabels'])) return given;
  const pairs = (given['assignedLabels'] as Body[]).map(async ({ labelId, displayName }) => ({
    labelId,
    displayName: displayName ?? (await directory.items.get(labels, '', String(labelId).toLowerCase()))?.body['displayName'] ?? null,
  }));
  return { ...given, assignedLabels: await Promise.all(pairs) };
}
