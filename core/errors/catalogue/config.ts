import type { CatalogueEntry } from '../entry.js';

/** Errors of the configuration file: CAS1000 to CAS1999. */
export const configErrors = {
  CAS1001: { title: 'A file cannot be read', help: 'Check the path and its permissions.' },
  CAS1002: { title: 'An environment variable is missing', help: 'Set it, or give a value in the configuration.' },
  CAS1003: { title: 'A budget file is not valid', help: 'Correct the line that the message names; see docs/reference/billing.md.' },
  CAS1004: {
    title: 'Not an eventstream definition',
    help: 'Give an eventstream.json, a definition with parts, or a castellan.yaml with eventstreams.',
  },
} as const satisfies Record<`CAS1${string}`, CatalogueEntry>;
