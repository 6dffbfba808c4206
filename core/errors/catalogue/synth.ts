import type { CatalogueEntry } from '../entry.js';

/** Errors of constructs and synthesis: CAS2000 to CAS2999. */
export const synthErrors = {
  CAS2001: { title: 'A construct was given a value that is not allowed', help: 'The findings in the message say what is allowed.' },
} as const satisfies Record<`CAS2${string}`, CatalogueEntry>;
