import { rootCertificates } from 'node:tls';
import type { Agent } from 'undici';

/** The part of `fetch` that the clients use; injected in tests. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * A `fetch` that also trusts a private certificate authority, such as the sandbox's.
 *
 * @param ca the authority's certificate(s) in PEM.
 */
export function fetchTrusting(ca: string): Fetch {
  let dispatcher: Agent | undefined;
  return async (url, init) => {
    // Loaded with the first request: undici costs more than all else that a client needs, and many programs never ask.
    const undici = await import('undici');
    dispatcher ??= new undici.Agent({ connect: { ca: [...rootCertificates, ca] } });
    return (await undici.fetch(url, { ...init, dispatcher } as Parameters<typeof undici.fetch>[1])) as unknown as Response;
  };
}
