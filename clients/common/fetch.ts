import { createSecureContext, rootCertificates } from 'node:tls';
import type * as Undici from 'undici';

/** The part of `fetch` that the clients use; injected in tests. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The connections of this process by trusted authority, shared by the clients. */
const agents = new Map<string, Undici.Agent>();

/**
 * A `fetch` that also trusts a private certificate authority, such as the sandbox's.
 *
 * @param ca the authority's certificate(s) in PEM.
 */
export function fetchTrusting(ca: string): Fetch {
  return async (url, init) => {
    // Loaded with the first request, because loading it is slow, and by require(), because Jest
    // cannot run import() of a package.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const undici = require('undici') as typeof Undici;
    let dispatcher = agents.get(ca);
    if (dispatcher === undefined) {
      // Created once, because Node would parse all certificates again for every connection.
      dispatcher = new undici.Agent({
        connect: { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) },
      });
      agents.set(ca, dispatcher);
    }
    return (await undici.fetch(url, { ...init, dispatcher } as Parameters<
      typeof undici.fetch
    >[1])) as unknown as Response;
  };
}
