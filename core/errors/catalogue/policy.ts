import type { CatalogueEntry } from '../entry.js';

/** Errors of the policy engine: CAS7000 to CAS7999. */
export const policyErrors = {
  CAS7001: { title: 'Unknown rule', help: 'See `castellan rules list`.' },
  CAS7101: { title: 'A plan cannot be read', help: 'Give the file that `terraform show -json PLANFILE` prints.' },
} as const satisfies Record<`CAS7${string}`, CatalogueEntry>;
