import { createSecureContext, rootCertificates } from 'node:tls';
import type * as Undici from 'undici';
import { isLoopback } from '../../core/values/loopback.js';

/** The part of `fetch` that the clients use; injected in tests. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The connections of this process by the trusted certificates, shared by the clients. */
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
    // No public authority issues certificates for this machine's own names, and reading those of
    // all public authorities takes longer than a request.
    const publicAuthorities = isLoopback(new URL(url).hostname) ? [] : rootCertificates;
    const key = `${String(publicAuthorities.length)} ${ca}`;
    let dispatcher = agents.get(key);
    if (dispatcher === undefined) {
      // Created once, because Node would parse all certificates again for every connection.
      dispatcher = new undici.Agent({
        connect: { secureContext: createSecureContext({ ca: [...publicAuthorities, ca] }) },
      });
      agents.set(key, dispatcher);
    }
    return (await undici.fetch(url, { ...init, dispatcher } as Parameters<
      typeof undici.fetch
    >[1])) as unknown as Response;
  };
}
