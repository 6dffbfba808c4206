import type { CatalogueEntry } from '../entry.js';

/** Errors of the auth sidecar: CAS6000 to CAS6999. */
export const sidecarErrors = {
  CAS6001: { title: 'The auth configuration is not valid', help: 'Correct the properties that the findings name.' },
  CAS6004: { title: 'An option of the sidecar is not valid', help: 'See `castellan sidecar --help`.' },
  CAS6005: {
    title: 'The token store cannot be reached',
    help: 'Check --token-store: that its server accepts connections from here, or that its file can be written.',
  },
  CAS6006: { title: 'The sidecar cannot listen', help: 'Choose another --listen or --admin-listen address, or end what holds it.' },
} as const satisfies Record<`CAS6${string}`, CatalogueEntry>;
