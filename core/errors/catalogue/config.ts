import type { CatalogueEntry } from '../entry.js';

/** Errors of the configuration file: CAS1000 to CAS1999. */
export const configErrors = {
  CAS1001: { title: 'A file cannot be read', help: 'Check the path and its permissions.' },
  CAS1002: { title: 'An environment variable is missing', help: 'Set it, or give a value in the configuration.' },
} as const satisfies Record<`CAS1${string}`, CatalogueEntry>;
