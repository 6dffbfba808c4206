import type { CatalogueEntry } from '../entry.js';

/** Errors of the sandbox and its services: CAS4000 to CAS4999. */
export const sandboxErrors = {
  CAS4001: { title: 'The database cannot be opened', help: 'Check the URL: sqlite:PATH, postgres://… or memory:.' },
  CAS4002: { title: 'The seed file is not valid', help: 'Correct the entry that the message names.' },
  CAS4003: { title: 'A start-up option is not valid', help: 'See `castellan serve --help`.' },
} as const satisfies Record<`CAS4${string}`, CatalogueEntry>;
