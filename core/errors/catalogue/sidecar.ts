import type { CatalogueEntry } from '../entry.js';

/** Errors of the auth sidecar: CAS6000 to CAS6999. */
export const sidecarErrors = {
  CAS6001: { title: 'The auth configuration is not valid', help: 'Correct the properties that the findings name.' },
} as const satisfies Record<`CAS6${string}`, CatalogueEntry>;
