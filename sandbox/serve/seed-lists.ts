import { CastellanError } from '../../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import type { SeedLists } from '../../services/common/seed.js';

/** The lists of a seed file. */
export const seedListNames = [
  'snapshot',
  'users',
  'devices',
  'servicePrincipals',
  'applications',
  'directoryRoles',
  'contacts',
  'groups',
  'capacities',
  'workspaces',
  'sensitivityLabels',
  'tags',
  'billing',
] as const satisfies readonly (keyof SeedLists)[];

/**
 * Checks the name of a list in a seed.
 *
 * @param place file, line and column of the name.
 * @throws CAS4002 with the place and a suggestion.
 */
export function assertListName(
  name: string,
  place: string,
): asserts name is (typeof seedListNames)[number] {
  if ((seedListNames as readonly string[]).includes(name)) return;
  throw new CastellanError(
    'CAS4002',
    `${place}: "${name}" is not a list of a seed${didYouMean(nearest(name, seedListNames), '', ',')}`,
  );
}
