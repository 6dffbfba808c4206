import type { CatalogueEntry } from '../entry.js';

/** Errors of the HTTP clients: CAS5000 to CAS5999. */
export const clientsErrors = {
  CAS5001: { title: 'A service answered with an error', help: "The message carries the service's own code and request id." },
  CAS5002: { title: 'A service could not be reached', help: 'Check the address, the network and the certificate.' },
  CAS5003: { title: 'A service did not answer in time', help: 'Try again, or give a longer time-out.' },
  CAS5004: { title: 'No token could be had', help: 'Check the credentials of the token provider.' },
  CAS5005: { title: 'A listing never ends', help: 'The service names the same next page again: report it to the operator of the service.' },
  CAS5006: {
    title: 'A resource id is not valid',
    help: 'A resource id begins with /subscriptions/ and names its group, provider and type.',
  },
} as const satisfies Record<`CAS5${string}`, CatalogueEntry>;
