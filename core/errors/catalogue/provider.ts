import type { CatalogueEntry } from '../entry.js';

/** Errors of the Terraform provider: CAS3000 to CAS3999. */
export const providerErrors = {
  CAS3001: { title: 'Not a resource of this provider', help: 'See docs/reference/provider.md for what is served.' },
} as const satisfies Record<`CAS3${string}`, CatalogueEntry>;
