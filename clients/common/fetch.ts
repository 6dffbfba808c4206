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
    // Takes longer to load than everything else here: loaded with the first request, and by
    // require, since jest runs no import() of a package.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const undici = require('undici') as typeof Undici;
    let dispatcher = agents.get(ca);
    if (dispatcher === undefined) {
      // read once: node would read all certificates again for every connection
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
