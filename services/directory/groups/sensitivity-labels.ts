import type { SeedLists } from '../../common/seed.js';
import type { Directory } from '../kernel/directory.js';
import type { Body } from '../store/objects.js';

const labelCollection = 'sensitivity-label';

/** Stores the names of the sensitivity labels in a seed. */
export async function seedLabels(directory: Directory, seedLists: SeedLists): Promise<void> {
  for (const { id, displayName } of seedLists.sensitivityLabels ?? [])
    if (typeof id === 'string')
      await directory.records.put(labelCollection, '', id.toLowerCase(), { displayName });
}

/** A body whose `assignedLabels` have names: those sent, or known from a seed, otherwise null. */
export async function withLabelNames(directory: Directory, values: Body): Promise<Body> {
  if (!Array.isArray(values['assignedLabels'])) return values;
  const pairs = (values['assignedLabels'] as Body[]).map(async ({ labelId, displayName }) => ({
    labelId,
    displayName:
      displayName ??
      (await directory.records.get(labelCollection, '', String(labelId).toLowerCase()))?.body[
        'displayName'
      ] ??
      null,
  }));
  return { ...values, assignedLabels: await Promise.all(pairs) };
}
